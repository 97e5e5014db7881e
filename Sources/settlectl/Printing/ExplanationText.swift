import Generations
import SettledValues

/// An explanation as people read it.
struct ExplanationText {
  /// How many readers, reads and layers are shown, each; `--json` shows all.
  private static let limit = 12
  /// How much of a value of a layer is shown.
  private static let valueLength = 60
  /// How much of what the schema says is shown.
  private static let descriptionLength = 400
  /// How many inputs are named as the cause of a change.
  private static let inputLimit = 3

  let explanation: Explanation
  let now: Timestamp
  let style: Style

  var text: String {
    var lines = [headline]
    if let description = explanation.description {
      lines.append(row("what it is:", oneLine(description)))
    }
    if explanation.kind == .target { lines += target } else { lines += value }
    if let changed = explanation.changed {
      let word = explanation.kind == .target ? "last ran:" : "changed:"
      let said = changed.isChange ? "in generation" : "not since generation"
      lines.append(row(word, "\(said) \(changed.generation), \(age(changed.at))" + cause(changed)))
    }
    if let ran = explanation.ran { lines.append(row("", ran)) }
    return lines.map(\.printable).joined(separator: "\n") + "\n"
  }

  private var headline: String {
    switch explanation.kind {
    case .target: "target \(explanation.name)"
    default:
      "\(explanation.name) = " + (explanation.value.map { oneLine($0, length: 400) } ?? "not set")
    }
  }

  private var value: [String] {
    var lines: [String] = []
    if let expression = explanation.expression {
      lines.append(row("computed:", expression.split { $0.isWhitespace }.joined(separator: " ")))
    }
    if let place = explanation.place {
      lines.append(row(explanation.kind == .setting ? "set at:" : "written at:", "\(place)"))
    }
    if explanation.kind == .fact { lines.append(row("from:", "this machine")) }
    let others = explanation.mentions.filter { !$0.isInForce }
    lines += rows(explanation.value == nil ? "said by:" : "overrides:", others.map(line))
    lines += rows("reads:", explanation.reads)
    lines += rows("read by:", explanation.readers.map(line))
    if explanation.readers.isEmpty, explanation.kind != .fact {
      lines.append(row("read by:", "nothing"))
    }
    return lines
  }

  private var target: [String] {
    var lines: [String] = []
    if let state = explanation.state {
      lines.append(row("state:", state + (explanation.reason.map { ": \($0)" } ?? "")))
    }
    if let file = explanation.file { lines.append(row("file:", file)) }
    if let expression = explanation.expression { lines.append(row("follows:", expression)) }
    if let place = explanation.place { lines.append(row("written at:", "\(place)")) }
    return lines + rows("reads:", explanation.reads) + rows("then:", explanation.actions)
  }

  private func line(_ mention: Explanation.Mention) -> String {
    let value = mention.value.map { oneLine($0, length: Self.valueLength) } ?? "unsets it"
    let above = mention.path == explanation.name ? "" : " (at '\(mention.path)')"
    return "\(mention.place)  \(value)\(above)"
  }

  private func line(_ reader: Explanation.Reader) -> String {
    let kind = reader.kind == .target ? "target " : ""
    let through = reader.through.isEmpty ? "" : " through " + reader.through.joined(separator: ", ")
    return kind + reader.name + through
  }

  /// What made a change, after a comma.
  private func cause(_ change: Explanation.Change) -> String {
    guard change.isChange, let cause = change.cause else { return "" }
    let shown = change.inputs.prefix(Self.inputLimit)
    let rest = change.inputs.count - shown.count
    let inputs = shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return switch cause {
    case "edit": inputs.isEmpty ? ", by an edit" : ", by an edit of \(inputs)"
    default: ", by '\(cause)'" + (inputs.isEmpty ? "" : " after an edit of \(inputs)")
    }
  }

  private func oneLine(_ text: String) -> String {
    cut(text.split { $0.isWhitespace }.joined(separator: " "), Self.descriptionLength)
  }

  private func oneLine(_ value: Value, length: Int) -> String {
    if case .string(let text) = value { return cut(text, length) }
    guard let text = try? JSON.text(value) else { return "..." }
    return cut(text, length)
  }

  private func cut(_ text: String, _ length: Int) -> String {
    text.count > length ? text.prefix(length - 3) + "..." : text
  }

  private func rows(_ title: String, _ texts: [String]) -> [String] {
    let shown = texts.prefix(Self.limit).enumerated().map { row($0 == 0 ? title : "", $1) }
    let rest = texts.count - shown.count
    return rest > 0 ? shown + [row("", "and \(rest) more: --json")] : shown
  }

  private func row(_ title: String, _ text: String) -> String {
    "  " + title + String(repeating: " ", count: max(1, 12 - title.count)) + text
  }

  private func age(_ instant: Timestamp) -> String { instant.age(at: now) }
}
