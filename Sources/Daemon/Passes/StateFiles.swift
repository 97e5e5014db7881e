import Generations
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

  /// What was applied; where it is not known, as if nothing was.
  func loadApplied() -> Applied {
    guard let bytes = try? AtomicFile.read(appliedPath, limit: Self.sizeLimit),
      let value = try? JSON.read(bytes)
    else { return Applied() }
    return Applied(value)
  }

  /// Puts what was applied on the disk.
  func store(_ applied: Applied) throws(SystemError) {
    var bytes: [UInt8] = []
    // Strings in maps are always JSON.
    try? JSON.write(applied.value, into: &bytes)
    try AtomicFile.write(bytes, to: appliedPath)
  }
}
