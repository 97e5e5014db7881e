import Control
import Generations
import Glibc
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

  /// What was applied, and what is wrong where what is stored is damaged: then it is as if nothing
  /// was, and the file is set aside.
  ///
  /// - Throws: why it cannot be read: what settled wrote would be forgotten, and never removed.
  func loadApplied() throws(SystemError) -> (applied: Applied, damage: String?) {
    AtomicFile.clearUnfinished(appliedPath)
    guard let bytes = try AtomicFile.read(appliedPath, limit: Self.sizeLimit) else {
      return (Applied(), nil)
    }
    guard let value = SealedJSON.decode(bytes) else {
      let aside = setAside(appliedPath)
      return (
        Applied(), "what was applied cannot be read, as '\(aside)' is damaged; it is applied again"
      )
    }
    return (Applied(value), nil)
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

  /// What the last passes did, and what is wrong where what is stored is damaged: it is set aside
  /// then, under the name with `.damaged`.
  func loadHistory() -> (history: History, damage: String?) {
    AtomicFile.clearUnfinished(historyPath)
    do {
      guard let bytes = try AtomicFile.read(historyPath, limit: Self.historySizeLimit) else {
        return (History(), nil)
      }
      guard let value = SealedJSON.decode(bytes) else {
        return (History(), unread("it is damaged"))
      }
      return (try History(value), nil)
    } catch {
      return (History(), unread("\(error)"))
    }
  }

  private func unread(_ reason: String) -> String {
    "the history cannot be read, and is now '\(setAside(historyPath))': \(reason)"
  }

  /// Gives a damaged file another name, and tells it.
  private func setAside(_ path: String) -> String {
    rename(path, path + ".damaged")
    return path + ".damaged"
  }

  /// Puts the history on the disk; what is lost here is lost after a restart only.
  func store(_ history: History) {
    guard let bytes = try? SealedJSON.encode(history.value) else { return }
    try? AtomicFile.write(bytes, to: historyPath)
  }

  private var historyPath: String { directory + "/history.json" }

  /// The size in bytes up to which a history is read: entries are bounded, so it is never reached.
  private static let historySizeLimit = 16 << 20

  private static func encoded(_ applied: Applied) -> [UInt8] {
    // Strings in maps are always JSON.
    (try? SealedJSON.encode(applied.value)) ?? []
  }
}
