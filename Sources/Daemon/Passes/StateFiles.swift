import Control
import Glibc
import SettledInputs
import SettledValues
import Targets

/// What the daemon keeps in its state directory.
struct StateFiles: Sendable {
  /// The state directory.
  let directory: String

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
}
