import Glibc
import SettledInputs
import SettledValues

/// The journal's file in the state directory.
struct JournalFile {
  /// The size in bytes up to which a journal is read.
  static let sizeLimit = 64 << 20

  private let path: String

  init(stateDirectory: String) {
    path = stateDirectory + "/journal.json"
  }

  /// Puts `journal` on the disk.
  func write(_ journal: Journal) throws(SystemError) {
    guard let bytes = try? SealedJSON.encode(journal.value) else {
      throw SystemError("write", path, code: EINVAL)
    }
    try AtomicFile.write(bytes, to: path)
  }

  /// The journal on the disk, or nil where none is: the last transaction ended.
  ///
  /// - Throws: the failure; `EBADMSG` where the file is not a journal, or damaged.
  func read() throws(SystemError) -> Journal? {
    AtomicFile.clearUnfinished(path)
    guard let bytes = try AtomicFile.read(path, limit: Self.sizeLimit) else { return nil }
    guard let value = SealedJSON.decode(bytes), let journal = Journal(value) else {
      throw SystemError("read", path, code: EBADMSG)
    }
    return journal
  }

  /// Ends the transaction.
  func remove() throws(SystemError) {
    try AtomicFile.remove(path)
  }
}

extension Journal {
  /// The journal as JSON holds it.
  var value: Value {
    [
      "phase": .string(phase.rawValue),
      "files": .list(
        entries.map(\.value)),
      "directories": .list(directories.map { .string($0) }), "plain": .bool(isPlain),
      "acting": .list(acting.map { .string($0) }),
    ]
  }

  /// Reads a journal back; nil where `value` is not one.
  init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let name)? = map["phase"],
      let phase = Phase(rawValue: name), case .list(let files)? = map["files"]
    else { return nil }
    self.phase = phase
    entries = files.compactMap(Entry.init)
    guard entries.count == files.count else { return nil }
    isPlain = map["plain"] == .bool(true)
    directories = Self.texts(map["directories"])
    acting = Self.texts(map["acting"])
  }

  private static func texts(_ value: Value?) -> [String] {
    guard case .list(let list)? = value else { return [] }
    return list.compactMap(\.text)
  }
}

extension Journal.Entry {
  fileprivate var value: Value {
    var map: ValueMap = [
      "destination": .string(destination), "staged": .string(staged),
      "old": old.map { .string($0) } ?? .null,
    ]
    if let new { map["new"] = .string(new) }
    if let origin {
      map["in_place"] = .list(
        [
          Int64(bitPattern: origin.inode), Int64(origin.mode), Int64(origin.user),
          Int64(origin.group),
        ]
        .map { .int($0) })
    }
    return .map(map)
  }

  fileprivate init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let destination)? = map["destination"],
      case .string(let staged)? = map["staged"]
    else { return nil }
    self.destination = destination
    self.staged = staged
    if case .string(let old)? = map["old"] { self.old = old }
    if case .string(let new)? = map["new"] { self.new = new }
    guard let inPlace = map["in_place"] else { return }
    guard case .list(let list) = inPlace, list.count == 4,
      case (.int(let inode), .int(let mode), .int(let user), .int(let group)) = (
        list[0], list[1], list[2], list[3]
      )
    else { return nil }
    origin = InPlaceFile.Origin(
      inode: UInt64(bitPattern: inode), mode: mode_t(truncatingIfNeeded: mode),
      user: uid_t(truncatingIfNeeded: user), group: gid_t(truncatingIfNeeded: group))
  }
}
