import CLinux
import Glibc
import Targets
import Testing

/// Access control lists and other extended attributes, which are kept where a file is replaced.
@Suite struct AttributeTests {
  private static let user = "user.settled-test"
  private static let list = "system.posix_acl_access"

  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// An access control list as the kernel takes it (linux/posix_acl_xattr.h): version 2, then tag,
  /// permissions and id of `user::rw-, user:12345:r--, group::r--, mask::r--, other::---`.
  private static let entries: [UInt8] = {
    let none: UInt32 = .max
    let entries: [(UInt16, UInt16, UInt32)] = [
      (0x01, 6, none), (0x02, 4, 12345), (0x04, 4, none), (0x10, 4, none), (0x20, 0, none),
    ]
    return [2, 0, 0, 0]
      + entries.flatMap { tag, rights, id in
        [UInt8(tag), 0, UInt8(rights), 0]
          + (0..<4).map { UInt8(truncatingIfNeeded: id >> ($0 * 8)) }
      }
  }()

  private func set(_ name: String, _ value: [UInt8]) -> Bool {
    setxattr(scratch.file("a.conf"), name, value, value.count, 0) == 0
  }

  private func attribute(_ name: String) -> [UInt8]? {
    var value = [UInt8](repeating: 0, count: 256)
    let count = getxattr(scratch.file("a.conf"), name, &value, value.count)
    return count < 0 ? nil : Array(value.prefix(count))
  }

  private func apply(_ text: String, mode: mode_t? = nil, inPlace: Bool) throws {
    var file = DesiredFile(
      target: "a", path: scratch.file("a.conf"), bytes: Array(text.utf8), mode: mode)
    if inPlace { file.stagingDirectory = scratch.state }
    let transaction = FileTransaction(
      [try #require(try FileStep(for: file))], stateDirectory: scratch.state)
    try transaction.stage()
    try transaction.swap()
    try transaction.commit()
  }

  @Test(arguments: [false, true])
  func `an attribute and an access control list are kept`(inPlace: Bool) throws {
    try scratch.write("old", to: "a.conf", mode: 0o640)
    // A file system without them has nothing to keep.
    let hasAttributes = set(Self.user, Array("kept".utf8))
    let hasLists = set(Self.list, Self.entries)
    let list = attribute(Self.list)
    try apply("new", inPlace: inPlace)
    #expect(try scratch.text("a.conf") == "new")
    if hasAttributes { #expect(attribute(Self.user) == Array("kept".utf8)) }
    if hasLists { #expect(attribute(Self.list) == list && list != nil) }
    #expect(try scratch.status("a.conf").mode == 0o640)
    #expect(hasAttributes || hasLists, "this file system has neither: nothing was tested")
  }

  @Test(arguments: [false, true])
  func `a mode that is set bounds the list by its mask, as chmod(1) does`(inPlace: Bool) throws {
    try scratch.write("old", to: "a.conf", mode: 0o640)
    guard set(Self.list, Self.entries) else { return }
    try apply("new", mode: 0o600, inPlace: inPlace)
    #expect(try scratch.status("a.conf").mode == 0o600)
    let list = try #require(attribute(Self.list))
    #expect(list.count == Self.entries.count, "the named user is still in it")
    #expect(list[4 + 3 * 8 + 2] == 0, "and its mask gives it nothing")
  }
}
