import Glibc
import SettledInputs
import Targets
import Testing

@Suite struct FileTransactionTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func desired(
    _ name: String, _ text: String, mode: mode_t? = nil, owner: Owner? = nil
  ) -> DesiredFile {
    DesiredFile(
      target: name, path: scratch.file(name), bytes: Array(text.utf8), mode: mode, owner: owner)
  }

  private func transaction(_ files: DesiredFile...) throws -> FileTransaction {
    FileTransaction(
      try files.compactMap { try FileStep(for: $0) }, stateDirectory: scratch.state)
  }

  private func apply(_ files: DesiredFile...) throws {
    let transaction = FileTransaction(
      try files.compactMap { try FileStep(for: $0) }, stateDirectory: scratch.state)
    try transaction.stage()
    try transaction.swap()
    try transaction.commit()
  }

  @Test func `a new file gets its content, mode 0644 whatever the umask, and leaves no other file`()
    throws
  {
    let old = umask(0o077)
    defer { umask(old) }
    try apply(desired("a.conf", "one\n"))
    #expect(try scratch.text("a.conf") == "one\n")
    #expect(try scratch.status("a.conf").mode == 0o644)
    #expect(scratch.names == ["a.conf"])
    #expect(scratch.stateNames == [])
  }

  @Test func `a file with a secret is made with mode 0600`() throws {
    var file = desired("a.conf", "one")
    file.isSecret = true
    try apply(file)
    #expect(try scratch.status("a.conf").mode == 0o600)
  }

  @Test(arguments: [false, true])
  func `what stands where a file would be staged is neither followed nor written into`(
    isHardLink: Bool
  ) throws {
    try scratch.write("victim", to: "victim.conf", mode: 0o600)
    let transaction = try transaction(desired("a.conf", "new"))
    let staged = try #require(transaction.stagedPaths[0])
    let plant = isHardLink ? link : symlink
    try #require(plant(scratch.file("victim.conf"), staged) == 0)
    let error = #expect(throws: SystemError.self) { try transaction.stage() }
    #expect(error?.code == EEXIST)
    #expect(try scratch.text("victim.conf") == "victim")
    #expect(try scratch.status("victim.conf").mode == 0o600)
  }

  @Test func `the name of a staged file is another each time`() throws {
    let names = try (0..<100).map { _ in try transaction(desired("a.conf", "new")).stagedPaths[0] }
    #expect(Set(names).count == 100)
  }

  @Test func `what is staged can be read by nobody else before its mode is set`() async {
    // In a process of its own, which may write 4 KiB to a file and has no umask.
    await #expect(processExitsWith: .success) {
      umask(0)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let scratch = try Scratch()
      let bytes = [UInt8](repeating: 0x61, count: 8192)
      let file = DesiredFile(target: "a", path: scratch.file("a"), bytes: bytes, mode: 0o644)
      let steps = [try #require(try FileStep(for: file))]
      let transaction = FileTransaction(steps, stateDirectory: scratch.state)
      let error = #expect(throws: SystemError.self) { try transaction.stage() }
      #expect(error?.code == EFBIG)
      let name = try #require(scratch.names.first)
      #expect(try scratch.status(name).mode == 0o600)
    }
  }

  @Test func `a replaced file keeps mode, owner and attributes that nothing asks to change`() throws
  {
    try scratch.write("old", to: "a.conf", mode: 0o640)
    if geteuid() == 0 { try #require(chown(scratch.file("a.conf"), 12345, 54321) == 0) }
    let before = try scratch.status("a.conf")
    try apply(desired("a.conf", "new"))
    let after = try scratch.status("a.conf")
    #expect(try scratch.text("a.conf") == "new")
    #expect((after.mode, after.user, after.group) == (0o640, before.user, before.group))
    #expect(after.inode != before.inode)
  }

  @Test func `equal content with equal rights is no step`() throws {
    try scratch.write("same", to: "a.conf", mode: 0o600)
    #expect(try FileStep(for: desired("a.conf", "same")) == nil)
    #expect(try FileStep(for: desired("a.conf", "same", mode: 0o600)) == nil)
    #expect(try FileStep(for: desired("a.conf", "same", mode: 0o644))?.change == .attributes)
    #expect(try FileStep(for: desired("a.conf", "Same"))?.change == .replace)
    #expect(try FileStep(for: desired("b.conf", "same"))?.change == .create)
  }

  @Test func `a wrong mode alone is put right`() throws {
    try scratch.write("same", to: "a.conf", mode: 0o600)
    try apply(desired("a.conf", "same", mode: 0o664))
    #expect(try scratch.status("a.conf").mode == 0o664)
    #expect(try scratch.text("a.conf") == "same")
  }

  @Test func `nothing stands in place before the swap, and all of it after`() throws {
    try scratch.write("old", to: "a.conf")
    let transaction = try transaction(desired("a.conf", "new"), desired("b.conf", "new"))
    try transaction.stage()
    #expect(try scratch.text("a.conf") == "old")
    #expect(!scratch.names.contains("b.conf"))
    let staged = try #require(transaction.stagedPaths[1])
    #expect(try AtomicFile.read(staged, limit: 10) == Array("new".utf8))
    try transaction.swap()
    #expect(try scratch.text("a.conf") == "new")
    #expect(try scratch.text("b.conf") == "new")
    try transaction.commit()
    #expect(scratch.names == ["a.conf", "b.conf"])
  }

  @Test(arguments: [false, true])
  func `putting back leaves the very files that stood there`(swapped: Bool) throws {
    let inode = try scratch.write("old", to: "a.conf", mode: 0o604)
    try scratch.write("gone", to: "c.conf")
    let removal = try #require(
      try FileStep(removing: scratch.file("c.conf"), target: "c"))
    let steps = try [desired("a.conf", "new"), desired("b.conf", "new")].compactMap {
      try FileStep(for: $0)
    }
    let transaction = FileTransaction(steps + [removal], stateDirectory: scratch.state)
    try transaction.stage()
    if swapped {
      try transaction.swap()
      #expect(!scratch.names.contains("c.conf"))
    }
    try transaction.rollBack()
    #expect(try scratch.text("a.conf") == "old")
    #expect(try scratch.status("a.conf").inode == inode)
    #expect(try scratch.text("c.conf") == "gone")
    #expect(scratch.names == ["a.conf", "c.conf"])
    #expect(scratch.stateNames == [])
  }

  @Test func `a destination that changed since the plan is not replaced`() throws {
    try scratch.write("old", to: "a.conf")
    let transaction = try transaction(desired("a.conf", "new"), desired("b.conf", "new"))
    try transaction.stage()
    let inode = try scratch.write("edited meanwhile", to: "a.conf")
    let error = #expect(throws: SystemError.self) { try transaction.swap() }
    #expect(error?.code == ESTALE)
    try transaction.rollBack()
    #expect(try scratch.text("a.conf") == "edited meanwhile")
    #expect(try scratch.status("a.conf").inode == inode)
    #expect(scratch.names == ["a.conf"])
  }

  @Test func `a file that appeared since the plan is not replaced`() throws {
    let transaction = try transaction(desired("a.conf", "new"))
    try transaction.stage()
    try scratch.write("somebody's", to: "a.conf")
    let error = #expect(throws: SystemError.self) { try transaction.swap() }
    #expect(error?.code == EEXIST)
    try transaction.rollBack()
    #expect(try scratch.text("a.conf") == "somebody's")
    #expect(scratch.names == ["a.conf"])
  }

  @Test func `a link is followed, and stays a link`() throws {
    try scratch.write("old", to: "real.conf")
    try #require(symlink("real.conf", scratch.file("link.conf")) == 0)
    try apply(desired("link.conf", "new"))
    #expect(try scratch.text("real.conf") == "new")
    #expect(try scratch.text("link.conf") == "new")
    #expect(scratch.names == ["link.conf", "real.conf"])
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to make another user's link"))
  func `another user's link is not followed`() throws {
    try scratch.write("old", to: "real.conf")
    try #require(symlink("real.conf", scratch.file("link.conf")) == 0)
    try #require(lchown(scratch.file("link.conf"), 12345, 12345) == 0)
    let error = #expect(throws: SystemError.self) {
      try FileStep(for: desired("link.conf", "new"))
    }
    #expect(error?.code == EPERM)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to make another user's link"))
  func `another user's link on the way to a file is not followed, also through our own`() throws {
    try #require(mkdir(scratch.file("real"), 0o755) == 0)
    defer { rmdir(scratch.file("real")) }
    try #require(symlink("real", scratch.file("theirs")) == 0)
    try #require(symlink("../etc/theirs", scratch.file("ours")) == 0)
    let fine = try FileStep(for: desired("ours/new.conf", "new"))
    #expect(fine?.change == .create)
    try #require(lchown(scratch.file("theirs"), 12345, 12345) == 0)
    let marked = "theirs/\u{301}.conf"
    for path in ["theirs/new.conf", "ours/new.conf", "real/../theirs/new.conf", marked] {
      let error = #expect(throws: SystemError.self) { try FileStep(for: desired(path, "new")) }
      #expect(error?.code == EPERM, "\(path)")
    }
    try #require(symlink("loop", scratch.file("loop")) == 0)
    let error = #expect(throws: SystemError.self) { try FileStep(for: desired("loop/x", "new")) }
    #expect(error?.code == ELOOP)
  }

  @Test func `a directory in the place of a file is an error that says so`() throws {
    try #require(mkdir(scratch.file("d"), 0o755) == 0)
    defer { rmdir(scratch.file("d")) }
    let error = #expect(throws: SystemError.self) { try FileStep(for: desired("d", "new")) }
    #expect(error?.description == "cannot replace '\(scratch.file("d"))': Is a directory")
    #expect(error?.hint == "a directory stands there; move it away or name a file")
  }

  @Test func `many files of one directory are applied together`() throws {
    let files = (0..<40).map { desired("f\($0).conf", "text \($0)") }
    let transaction = FileTransaction(
      try files.compactMap { try FileStep(for: $0) }, stateDirectory: scratch.state)
    try transaction.stage()
    try transaction.swap()
    try transaction.commit()
    #expect(scratch.names.count == 40)
    #expect(try scratch.text("f39.conf") == "text 39")
  }
}
