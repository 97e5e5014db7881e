import Glibc
public import SettledInputs
import SettledValues
public import Targets

/// What was applied, kept in the state directory: one file, or parts where there is much of it, so
/// that what is written of a generation is about as much as what it changes.
///
/// Each file has the sum of its content, and is swapped with the files of the targets it tells of.
public struct AppliedFiles: Sendable {
  /// The number of parts, over which names are spread evenly.
  package static let partCount = 64
  /// How many instances are kept in one file.
  static let wholeLimit = 256
  /// The size in bytes up to which a file is read.
  private static let sizeLimit = 64 << 20

  private let directory: String

  /// The store of a state directory.
  public init(stateDirectory: String) { directory = stateDirectory }

  private var path: String { directory + "/applied.json" }

  private func path(ofPart number: Int) -> String { directory + "/applied-\(number).json" }

  /// What was applied, the same where the files hold it as they would be written, and the files that
  /// are damaged or lost.
  ///
  /// What those held counts as not applied. A damaged one is set aside, under the name with
  /// `.damaged`.
  ///
  /// - Parameter touches: whether what is damaged or left over is set aside and removed: not by who
  ///   only looks at the files of a daemon.
  /// - Returns: what was applied, and what of it is stored.
  /// - Throws: why it cannot be read: what settled wrote would be forgotten, and never removed.
  public func load(touches: Bool = true) throws(SystemError) -> (
    applied: Applied, stored: Applied?, damaged: [String]
  ) {
    var damaged: [String] = []
    guard let head = try read(path, touches, &damaged) else { return (Applied(), nil, damaged) }
    var applied = Applied(head)
    let isParted = Applied.isParted(head)
    for number in 0..<Self.partCount {
      let path = path(ofPart: number)
      guard isParted else {
        // All of it went into one file again.
        if touches { unlink(path) }
        continue
      }
      let known = damaged.count
      if let part = try read(path, touches, &damaged) {
        applied.add(part)
      } else if damaged.count == known {
        damaged.append(path)
      }
    }
    let isAsWritten = damaged.isEmpty && isParted == applied.isParted
    return (applied, isAsWritten ? applied : nil, damaged)
  }

  private func read(
    _ path: String, _ touches: Bool, _ damaged: inout [String]
  ) throws(SystemError) -> Value? {
    if touches { AtomicFile.clearUnfinished(path) }
    guard let bytes = try AtomicFile.read(path, limit: Self.sizeLimit) else { return nil }
    if let value = SealedJSON.decode(bytes) { return value }
    guard touches else {
      damaged.append(path)
      return nil
    }
    rename(path, path + ".damaged")
    damaged.append(path + ".damaged")
    return nil
  }

  /// The files that hold what was applied.
  ///
  /// - Parameters:
  ///   - applied: what was applied.
  ///   - former: what the files hold now, so that those that stay the same are left out; nil where
  ///     that is not known.
  /// - Returns: the files that may differ.
  public func files(holding applied: Applied, after former: Applied?) -> [DesiredFile] {
    if applied.isParted {
      let known = former?.isParted == true ? former : nil
      let parts = (0..<Self.partCount).filter { number in
        known.map { !applied.hasSamePart(number, as: $0) } ?? true
      }
      let isSameHead = known.map { applied.hasSameHead(as: $0) } ?? false
      // Parts without a head that tells of them are nothing, so it comes last.
      return parts.map { file(path(ofPart: $0), applied.value(ofPart: $0)) }
        + (isSameHead ? [] : [file(path, applied.head)])
    }
    return applied == former ? [] : [file(path, applied.value)]
  }

  private func file(_ path: String, _ value: Value) -> DesiredFile {
    // Strings in maps are always JSON.
    let bytes = (try? SealedJSON.encode(value)) ?? []
    return DesiredFile(target: "settled", path: path, bytes: bytes, mode: 0o600)
  }

  /// Puts on the disk at once what differs of what was applied.
  public func store(_ applied: Applied, after former: Applied?) throws(SystemError) {
    for file in files(holding: applied, after: former) {
      try AtomicFile.write(file.bytes, to: file.path)
    }
  }
}
