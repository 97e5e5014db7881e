import Glibc
import SettledInputs
import Targets
import Testing

/// A file that is written into: `write: in_place`.
@Suite struct InPlaceTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func step(_ text: String, mode: mode_t? = nil) throws -> FileStep {
    var file = DesiredFile(
      target: "a", path: scratch.file("a.conf"), bytes: Array(text.utf8), mode: mode)
    file.stagingDirectory = scratch.state
    return try #require(try FileStep(for: file))
  }

  private func transaction(_ steps: FileStep...) -> FileTransaction {
    FileTransaction(steps, stateDirectory: scratch.state)
  }

  @Test(arguments: ["longer than it was", "short", ""])
  func `the file keeps its inode, owner and mode, and nothing is made beside it`(text: String)
    throws
  {
    try scratch.write("the old one", to: "a.conf", mode: 0o640)
    if geteuid() == 0 { try #require(chown(scratch.file("a.conf"), 12345, 54321) == 0) }
    let before = try scratch.status("a.conf")
    let step = try step(text)
    #expect(step.text.hasPrefix("a: write into \(scratch.file("a.conf"))\n"))
    let transaction = transaction(step)
    try transaction.stage()
    #expect(scratch.names == ["a.conf"])
    let staged = try #require(transaction.stagedPaths[0])
    #expect(try AtomicFile.read(staged, limit: 99) == Array(text.utf8), "for the check")
    #expect(try scratch.text("a.conf") == "the old one")
    try transaction.swap()
    #expect(try scratch.text("a.conf") == text)
    try transaction.commit()
    #expect(try scratch.text("a.conf") == text)
    #expect(try scratch.status("a.conf") == before)
    #expect((scratch.names, scratch.stateNames) == (["a.conf"], []))
  }

  @Test(arguments: ["longer than it was", "short"], [0o600, 0o666] as [mode_t])
  func `putting back, at once and after a crash, leaves the old bytes and rights`(
    text: String, mode: mode_t
  ) throws {
    let inode = try scratch.write("the old one", to: "a.conf", mode: 0o640)
    for isCrash in [false, true] {
      let transaction = transaction(try step(text, mode: mode))
      try transaction.stage()
      try transaction.swap()
      #expect(try scratch.status("a.conf").mode == mode)
      if isCrash {
        #expect(try Recovery.run(stateDirectory: scratch.state) == .undone(files: 1))
      } else {
        try transaction.rollBack()
      }
      #expect(try scratch.text("a.conf") == "the old one")
      #expect(try scratch.status("a.conf").mode == 0o640)
      #expect(try scratch.status("a.conf").inode == inode)
      #expect((scratch.names, scratch.stateNames) == (["a.conf"], []))
    }
  }

  @Test func `a file that was written into in part is whole again after the next start`() throws {
    try scratch.write("the old one", to: "a.conf")
    let transaction = transaction(try step("the new one"))
    try transaction.stage()
    try transaction.swap()
    let file = open(scratch.file("a.conf"), O_WRONLY)
    defer { close(file) }
    try #require(pwrite(file, "the o", 5, 0) == 5)
    #expect(try Recovery.run(stateDirectory: scratch.state) == .undone(files: 1))
    #expect(try scratch.text("a.conf") == "the old one")
    #expect(scratch.stateNames == [])
  }

  @Test func `after a crash before anything was written, what others wrote since stays`() throws {
    try scratch.write("old", to: "a.conf")
    try transaction(try step("new")).stage()
    let file = open(scratch.file("a.conf"), O_WRONLY)
    defer { close(file) }
    try #require(pwrite(file, "now", 3, 0) == 3)
    #expect(try Recovery.run(stateDirectory: scratch.state) == .undone(files: 1))
    #expect(try scratch.text("a.conf") == "now")
    #expect((scratch.names, scratch.stateNames) == (["a.conf"], []))
  }

  @Test func `a file that was replaced after the crash is left alone, and the old bytes are kept`()
    throws
  {
    try scratch.write("old", to: "a.conf")
    let transaction = transaction(try step("new"))
    try transaction.stage()
    try transaction.swap()
    rename(scratch.file("a.conf"), scratch.file("b.conf"))
    try scratch.write("somebody's", to: "a.conf")
    #expect(try Recovery.run(stateDirectory: scratch.state) == .undone(files: 1))
    #expect(try scratch.text("a.conf") == "somebody's")
    #expect(scratch.stateNames == ["edited"])
  }

  @Test func `a file that changed since the plan is not written into`() throws {
    try scratch.write("old", to: "a.conf")
    let transaction = transaction(try step("new"))
    try transaction.stage()
    let file = open(scratch.file("a.conf"), O_WRONLY)
    defer { close(file) }
    try #require(pwrite(file, "edited", 6, 0) == 6)
    let error = #expect(throws: SystemError.self) { try transaction.swap() }
    #expect(error?.code == ESTALE)
    try transaction.rollBack()
    #expect(try scratch.text("a.conf") == "edited")
    #expect(scratch.stateNames == [])
  }

  @Test func `only the rights are set where only they differ, and a new file is made as any other`()
    throws
  {
    let inode = try scratch.write("same", to: "a.conf", mode: 0o600)
    let rights = transaction(try step("same", mode: 0o644))
    try rights.stage()
    try rights.swap()
    try rights.commit()
    #expect(try scratch.status("a.conf").mode == 0o644)
    #expect(try scratch.status("a.conf").inode == inode)
    unlink(scratch.file("a.conf"))
    let creation = try step("new")
    #expect((creation.change, creation.isInPlace) == (.create, false))
    let new = transaction(creation)
    try new.stage()
    try new.swap()
    try new.commit()
    #expect(try scratch.text("a.conf") == "new")
    #expect((scratch.names, scratch.stateNames) == (["a.conf"], []))
  }

  @Test func `what others wrote into it is kept before it is overwritten`() throws {
    try scratch.write("by hand", to: "a.conf")
    var step = try step("new")
    step.keepsStanding = true
    _ = try Applier(stateDirectory: scratch.state, runner: RecordingRunner()).apply(
      Plan(files: [step]), isCurrent: { true }, filesInPlace: {})
    #expect(try scratch.text("a.conf") == "new")
    #expect(scratch.stateNames == ["edited"])
  }
}
