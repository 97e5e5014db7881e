import Glibc
import SettledInputs
import Targets
import Testing

@Suite struct RecoveryTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func prepared(acting: [String] = []) throws -> FileTransaction {
    try scratch.write("old", to: "a.conf")
    try scratch.write("gone", to: "c.conf")
    let writes = try ["a.conf", "b.conf"].compactMap { name in
      try FileStep(
        for: DesiredFile(target: name, path: scratch.file(name), bytes: Array("new".utf8)))
    }
    let removal = try #require(try FileStep(removing: scratch.file("c.conf"), target: "c"))
    return FileTransaction(
      writes + [removal], stateDirectory: scratch.state, acting: acting)
  }

  @Test func `without a journal there is nothing to do`() throws {
    #expect(try Recovery.run(stateDirectory: scratch.state) == .nothing)
  }

  @Test func `a crash after staging leaves the old files and no stray`() throws {
    try prepared().stage()
    #expect(scratch.names.count == 4)
    #expect(try Recovery.run(stateDirectory: scratch.state) == .undone(files: 3))
    #expect(scratch.names == ["a.conf", "c.conf"])
    #expect(try scratch.text("a.conf") == "old")
  }

  @Test func `a crash after the swap puts the old files back`() throws {
    let transaction = try prepared()
    try transaction.stage()
    try transaction.swap()
    #expect(try scratch.text("a.conf") == "new")
    #expect(try Recovery.run(stateDirectory: scratch.state) == .undone(files: 3))
    #expect(scratch.names == ["a.conf", "c.conf"])
    #expect(try scratch.text("a.conf") == "old")
    #expect(try scratch.text("c.conf") == "gone")
    #expect(try Recovery.run(stateDirectory: scratch.state) == .nothing)
  }

  @Test func `a crash tells whose actions may have been done, before the journal is gone`() throws {
    let transaction = try prepared(acting: ["a.conf", "follower"])
    try transaction.stage()
    try transaction.swap()
    let full = SystemError("write", scratch.state, code: ENOSPC)
    #expect(throws: full) {
      _ = try Recovery.run(stateDirectory: scratch.state) { _ throws(SystemError) in throw full }
    }
    #expect(try scratch.text("a.conf") == "old")
    var told: [String] = []
    let found = try Recovery.run(stateDirectory: scratch.state) { names throws(SystemError) in
      told = names
      #expect(scratch.stateNames == ["journal.json"])
    }
    #expect(found == .undone(files: 3))
    #expect(told == ["a.conf", "follower"])
    #expect(try Recovery.run(stateDirectory: scratch.state) == .nothing)
  }

  @Test func `directories made for a file are taken away again`() throws {
    let step = try FileStep(
      for: DesiredFile(
        target: "deep", path: scratch.file("made/deep/a.conf"), bytes: [1], makesDirectories: true))
    let transaction = FileTransaction([try #require(step)], stateDirectory: scratch.state)
    try transaction.stage()
    try transaction.swap()
    #expect(scratch.names == ["made"])
    #expect(try Recovery.run(stateDirectory: scratch.state) == .undone(files: 1))
    #expect(scratch.names == [])
  }

  @Test func `what a write of the journal left that was cut short is cleared away`() throws {
    try AtomicFile.write([], to: scratch.state + "/journal.json.new")
    #expect(try Recovery.run(stateDirectory: scratch.state) == .nothing)
    #expect(scratch.stateNames == [])
  }

  @Test func `a file somebody else put in place of a new one is left alone`() throws {
    let transaction = try prepared()
    try transaction.stage()
    try scratch.write("somebody's", to: "b.conf")
    _ = try Recovery.run(stateDirectory: scratch.state)
    #expect(try scratch.text("b.conf") == "somebody's")
    #expect(scratch.names == ["a.conf", "b.conf", "c.conf"])
  }

  @Test(arguments: ["", "{", "[]", #"{"phase":"swapping"}"#, #"{"phase":"x","files":[]}"#])
  func `a damaged journal is an error that names it, never taken for none`(text: String) throws {
    let path = scratch.state + "/journal.json"
    try AtomicFile.write(Array(text.utf8), to: path)
    let error = #expect(throws: SystemError.self) {
      try Recovery.run(stateDirectory: scratch.state)
    }
    #expect(error?.path == path)
    #expect(error?.code == EBADMSG)
  }
}
