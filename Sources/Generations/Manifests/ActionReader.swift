import Expressions
import SettledValues
import SettledYAML
import Targets
import Templates

extension TargetRule {
  /// Tells of a check that does not look at the new file, but most likely at the old one.
  var warningOfOldFile: Diagnostic? {
    guard let check = file?.check, !check.namesStaged else { return nil }
    var warning = check.node.fault(
      "'check' of target '\(name)' is not told the new file, which is not in its place yet",
      hint: "name it as '{{ staged }}', or run the command as 'verify', after the swap")
    warning.severity = .warning
    return warning
  }
}

extension CommandRule {
  /// Whether it names the new file before the swap, or the variable that does.
  fileprivate var namesStaged: Bool {
    arguments.contains { argument in
      argument.roots.contains { $0.name == Self.staged }
        || argument.pieces.contains { piece in
          if case .text(let text) = piece { text.containsBytes("SETTLED_STAGED") } else { false }
        }
    }
  }
}

extension ManifestReader {
  /// Reads the actions of a target, in the order: run, restart, reload, signal.
  mutating func actions(_ fields: Fields) -> [ActionRule] {
    var actions: [ActionRule] = []
    if let command = command("run", fields) { actions.append(.run(command)) }
    if let unit = unit("restart", fields) { actions.append(.restart(unit)) }
    if let unit = unit("reload", fields) { actions.append(.reload(unit)) }
    if let node = fields["signal"], let action = signal(node) { actions.append(action) }
    return actions
  }

  /// Reads a command: a list of the program and its arguments, which no shell sees.
  mutating func command(_ key: String, _ fields: Fields) -> CommandRule? {
    guard let node = fields[key], !node.elements.isEmpty else { return nil }
    let arguments = node.elements.enumerated().map { interpolation($1, mayBeEmpty: $0 > 0) }
    guard !arguments.contains(where: { $0 == nil }) else { return nil }
    return CommandRule(arguments: arguments.compactMap { $0 }, node: node)
  }

  /// Reads an expression.
  mutating func expressionRule(_ node: YAMLNode) -> ExpressionRule? {
    expression(node).map { ExpressionRule(expression: $0, node: node) }
  }

  /// Reads a value, and keeps what is wrong with it.
  mutating func read<Answer>(_ body: () throws(Refusal) -> Answer) -> Answer? {
    do {
      return try body()
    } catch {
      findings += error.diagnostics
      return nil
    }
  }

  private mutating func unit(_ key: String, _ fields: Fields) -> String? {
    guard let node = fields[key], let name = fields.text(key) else { return nil }
    return unit(name, node)
  }

  /// A unit's name with its type, as systemd.unit(5) has it.
  private mutating func unit(_ name: String, _ node: YAMLNode) -> String? {
    guard name.contains(".") else {
      findings.append(
        node.fault("'\(name)' is not the name of a unit", hint: "write '\(name).service'"))
      return nil
    }
    guard name.utf8.count <= 255, name.utf8.allSatisfy(Self.unitNameBytes.contains) else {
      findings.append(
        node.fault(
          "'\(name)' is not the name of a unit",
          hint: "write letters, digits and :-_.\\@; 'systemd-escape' makes one of anything"))
      return nil
    }
    guard name != "settled.service" else {
      findings.append(node.fault("settled cannot act on its own unit"))
      return nil
    }
    return name
  }

  /// What the name of a unit consists of (systemd.unit(5)).
  private static let unitNameBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@".utf8)

  private mutating func signal(_ node: YAMLNode) -> ActionRule? {
    guard let fields = Fields(node), let unit = unit("unit", fields), let nameNode = fields["name"],
      let text = fields.text("name")
    else { return nil }
    let name = text.hasPrefix("SIG") ? text : "SIG" + text
    guard let number = Action.signals[name] else {
      findings.append(
        nameNode.fault(
          "there is no signal '\(text)' to send",
          hint: "one of: " + Action.signals.keys.sorted().joined(separator: ", ")))
      return nil
    }
    return .signal(unit: unit, number: number)
  }
}
