import Control
import SettledValues

/// What the last passes did as people read it: a line each, within 80 columns.
struct HistoryText {
  private static let width = 80

  let entries: [HistoryEntry]
  let style: Style

  var text: String {
    guard !entries.isEmpty else { return "nothing has happened yet\n" }
    let rows = entries.map(row)
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return zip(entries, rows).map { entry, row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let room = max(10, Self.width - cells.reduce(0) { $0 + $1.count + 2 })
      let line = cells.joined(separator: "  ") + "  " + Self.cut(summary(entry).printable, to: room)
      return (entry.outcome.isGood ? line : style.colored(line, .red)) + "\n"
    }.joined()
  }

  private func row(_ entry: HistoryEntry) -> [String] {
    let time = Timestamp(seconds: entry.at.seconds).description
    return [
      String(entry.generation), time, entry.cause.rawValue,
      entry.outcome == .rolledBack ? "rolled back" : entry.outcome.rawValue,
    ]
  }

  /// The most telling thing of an entry.
  private func summary(_ entry: HistoryEntry) -> String {
    if !entry.outcome.isGood, let finding = entry.findings.first { return finding }
    let what = entry.paths.isEmpty ? entry.inputs : entry.paths
    let drifted = entry.steps.filter { $0.change == "drift" }
    let written = entry.steps.filter { $0.change != "drift" }
    let failed = entry.actions.filter { $0.outcome == .failed }
    let parts = [
      Self.names(what), Self.names(written.map(\.target), after: "-> "),
      Self.names(drifted.map(\.target), after: "drifted: "),
      Self.names(failed.map(\.action), after: "failed: "),
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  private static func names(_ names: [String], after start: String = "") -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(3).joined(separator: ", ")
    return start + shown + (names.count > 3 ? ", ..." : "")
  }

  private static func cut(_ text: String, to room: Int) -> String {
    text.count <= room ? text : text.prefix(room - 3) + "..."
  }
}

extension Verdict.Outcome {
  fileprivate var isGood: Bool { self == .applied || self == .unchanged }
}
