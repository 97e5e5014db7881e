import Generations
import SettledInputs
import SettledValues
import Targets

/// What the daemon keeps in its state directory.
struct StateFiles: Sendable {
  /// The size in bytes up to which the state is read.
  private static let sizeLimit = 64 << 20

  /// The state directory.
  let directory: String

  /// The inputs of the last good generation.
  var lastGood: LastGood { LastGood(stateDirectory: directory) }

  private var appliedPath: String { directory + "/applied.json" }

  /// What was applied; where nothing is told, or what is told is damaged, as if nothing was.
  ///
  /// - Throws: why it cannot be read: what settled wrote would be forgotten, and never removed.
  func loadApplied() throws(SystemError) -> Applied {
    AtomicFile.clearUnfinished(appliedPath)
    guard let bytes = try AtomicFile.read(appliedPath, limit: Self.sizeLimit),
      let value = try? JSON.read(bytes)
    else { return Applied() }
    return Applied(value)
  }

  /// Puts what was applied on the disk.
  func store(_ applied: Applied) throws(SystemError) {
    try AtomicFile.write(Self.encoded(applied), to: appliedPath)
  }

  /// The file that holds what was applied.
  func file(holding applied: Applied) -> DesiredFile {
    DesiredFile(
      target: "settled", path: appliedPath, bytes: Self.encoded(applied), mode: 0o600)
  }

  private static func encoded(_ applied: Applied) -> [UInt8] {
    var bytes: [UInt8] = []
    // Strings in maps are always JSON.
    try? JSON.write(applied.value, into: &bytes)
    return bytes
  }
}
