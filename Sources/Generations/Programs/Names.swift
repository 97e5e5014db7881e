import Expressions
import SettledSettings
import SettledValues
import SettledYAML
import Templates

/// Checks the names that the manifest's expressions use against those that exist.
struct Names {
  private let settings: Settings
  private let known: Set<Value>
  private var faults: [Diagnostic] = []
  /// Names that exist in the part that is checked.
  private var local: Set<String> = []

  /// Checks all expressions and templates, also the parts that are not evaluated now.
  ///
  /// - Throws: every name that does not exist, and every one that means two things.
  static func check(_ loaded: Loaded, _ settings: Settings) throws(Refusal) {
    var names = Names(loaded.manifest, settings)
    names.checkClashes(loaded.manifest)
    for rule in loaded.manifest.derived { names.check(rule.expression.roots, in: rule.node) }
    for rule in loaded.manifest.targets { names.check(rule, loaded) }
    guard names.faults.isEmpty else { throw Refusal(names.faults) }
  }

  /// Checks a target, in which its entry has a name too.
  private mutating func check(_ rule: TargetRule, _ loaded: Loaded) {
    if let each = rule.each { check(each.expression.roots, in: each.node) }
    let outer = local
    if rule.each != nil { local.insert(rule.alias) }
    defer { local = outer }
    for part in [rule.when, rule.follows].compactMap({ $0 }) {
      check(part.expression.roots, in: part.node)
    }
    let placed = rule.file == nil ? [] : [CommandRule.file]
    for case .run(let command) in rule.actions { check(command, "run", naming: placed) }
    guard let file = rule.file else { return }
    check(file.path.roots, in: file.node)
    if let command = file.check { check(command, "check", naming: placed + [CommandRule.staged]) }
    if let command = file.verify { check(command, "verify", naming: placed) }
    switch file.content {
    case .value(let expression, _, let node): check(expression.roots, in: node)
    case .inline(let template, let node): check(template, in: node)
    case .template(let rule, _):
      if let template = loaded.templates[rule]?.template { check(template) }
    }
  }

  /// Checks a command, in which these files have a name.
  private mutating func check(_ command: CommandRule, _ key: String, naming files: [String]) {
    let outer = local
    local.formUnion(files)
    defer { local = outer }
    for (argument, node) in zip(command.arguments, command.node.elements) {
      for root in argument.roots where !exists(root) {
        let name = root.name
        faults.append(
          Self.fileHints[name].map {
            node.fault("'\(key)' has no '\(name)'", in: root.range, hint: $0)
          } ?? node.fault("'\(name)' does not exist", in: root.range, hint: hint(for: name)))
      }
    }
  }

  /// Why a command has no such file.
  private static let fileHints = [
    CommandRule.staged:
      "only 'check' comes before the swap; later the new file is in its place: '{{ file }}'",
    CommandRule.file: "the target follows a value, and has no file",
  ]

  private init(_ manifest: Manifest, _ settings: Settings) {
    self.settings = settings
    let names = (settings.keys() ?? []) + manifest.derived.map(\.name)
    known = Set((names + [Program.settingsName, Program.factsName]).map { .string($0) })
  }

  private mutating func checkClashes(_ manifest: Manifest) {
    for name in [Program.settingsName, Program.factsName] {
      guard settings.place(at: Path([.key(name)])) != nil else { continue }
      faults.append(
        settings.fault(
          "no setting may be called '\(name)', which expressions use for something else",
          at: Path([.key(name)]), hint: "call it something else"))
    }
    for rule in manifest.derived {
      guard let place = settings.place(at: Path([.key(rule.name)])) else { continue }
      faults.append(
        Diagnostic(
          .error, "'\(rule.name)' is a derived value and a setting", at: rule.place,
          excerpt: rule.node.excerpt(at: rule.place, length: rule.name.count),
          hint: "rename one of them",
          notes: [Diagnostic.Note("the setting is here", at: place)]))
    }
  }

  private mutating func check(_ roots: [Root], in node: YAMLNode) {
    for root in roots where !exists(root) {
      faults.append(
        node.fault(
          "'\(root.name)' does not exist", in: root.range, hint: hint(for: root.name)))
    }
  }

  /// Checks a template, which lies in `node` where it is part of the manifest.
  private mutating func check(_ template: Template, in node: YAMLNode? = nil) {
    for name in template.names where !exists(name.root) {
      let message = "'\(name.root.name)' does not exist"
      let hint = hint(for: name.root.name)
      guard let node else {
        faults.append(Diagnostic(.error, message, at: name.place, hint: hint))
        continue
      }
      let start = YAMLNode.offset(of: name.place, in: node.text)
      faults.append(node.fault(message, in: start..<start + name.root.range.count, hint: hint))
    }
  }

  private func exists(_ root: Root) -> Bool {
    root.isTypeName || local.contains(root.name) || known.contains(.string(root.name))
  }

  private func hint(for name: String) -> String {
    Self.hint(for: name, among: known.compactMap(\.text) + local)
  }

  /// What may be meant by a name that does not exist.
  static func hint(for name: String, among names: [String]) -> String {
    if let meant = name.closest(among: names.sorted()) { return "did you mean '\(meant)'?" }
    return "names are top-level settings, derived values, 'settings' and 'facts'"
  }
}
