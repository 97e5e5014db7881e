import SettledSystemd
import Synchronization
import Testing

@Suite struct JournalTests {
  @Test func `an entry has the journal's fields`() {
    let entry = JournalEntry(
      .warning, "site: not reloaded", id: MessageID(0x1, 0xABCD_EF00_0000_0001),
      fields: [.init("SETTLED_TARGET", "site")], file: "Daemon/Loop.swift", line: 7,
      function: "run()")
    #expect(
      entry.allFields(identifier: "settled").map { "\($0.name)=\($0.value)" } == [
        "MESSAGE=site: not reloaded", "PRIORITY=4", "SYSLOG_IDENTIFIER=settled",
        "MESSAGE_ID=0000000000000001abcdef0000000001", "CODE_FILE=Daemon/Loop.swift",
        "CODE_LINE=7", "CODE_FUNC=run()", "SETTLED_TARGET=site",
      ])
  }

  @Test func `the source is that of the caller`() {
    let fields = JournalEntry(.info, "here").source
    #expect(fields.contains(.init("CODE_FILE", "SettledSystemdTests/JournalTests.swift")))
  }

  @Test(arguments: [
    ("SETTLED_TARGET", true), ("A1", true), ("", false), ("_PID", false), ("1A", false),
    ("lower", false), ("A-B", false), ("A=B", false), ("Ä", false),
    (String(repeating: "A", count: 64), true), (String(repeating: "A", count: 65), false),
  ])
  func `only fields the journal takes are sent`(name: String, isValid: Bool) {
    let field = JournalEntry.Field(name, "x")
    #expect(field.isValid == isValid)
    let entry = JournalEntry(.info, "m", fields: [field])
    #expect(entry.allFields(identifier: "t").contains(field) == isValid)
  }

  @Test func `what is less urgent than the level is not written`() {
    let written = Mutex<[String]>([])
    let journal = Journal(level: .notice) { entry in written.withLock { $0.append(entry.message) } }
    journal.log(JournalEntry(.info, "quiet"))
    journal.log(JournalEntry(.notice, "seen"))
    journal.log(JournalEntry(.error, "loud"))
    #expect(written.withLock { $0 } == ["seen", "loud"])
  }
}
