import Expressions
import SettledInputs
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import Targets
import Templates

/// Computes what an instance of a target wants.
struct TargetRenderer {
  let rule: TargetRule
  let position: Int
  let destinations: Destinations

  /// What the instance wants now, nil where it is not wanted, or what is wrong.
  @ObservingActor
  func wanted(key: Value?, in program: Program) -> Result<Wanted?, Refusal> {
    let lookup = InstanceLookup(program, rule, key: key)
    do {
      guard try isWanted(lookup, program) else { return .success(nil) }
      let name = try name(key)
      var followed: Computed<Value>?
      if let follows = rule.follows {
        let value = try evaluate(follows, lookup, program)
        followed = Computed(value: value, isSecret: lookup.hasReadSecret)
      }
      let file = try rule.file.map { file throws(Refusal) in
        try desired(file, for: name, lookup, program)
      }
      return .success(
        Wanted(name: name, rule: position, key: key, file: file, followed: followed))
    } catch {
      return .failure(error)
    }
  }

  /// The file that the instance called `name` wants.
  @ObservingActor
  private func desired(
    _ file: FileRule, for name: String, _ lookup: InstanceLookup, _ program: Program
  ) throws(Refusal) -> DesiredFile {
    let path = try path(file, lookup, program)
    var bytes: [UInt8] = []
    let secretRanges = try render(file.content, lookup, program, into: &bytes)
    var desired = DesiredFile(
      target: name, path: path, bytes: bytes, mode: file.mode, owner: try owner(file),
      isSecret: lookup.hasReadSecret, secretRanges: secretRanges,
      makesDirectories: file.makesDirectories || destinations.root != nil)
    if file.write == .inPlace { desired.stagingDirectory = destinations.staging }
    return desired
  }

  private func name(_ key: Value?) throws(Refusal) -> String {
    guard let key else { return rule.name }
    let text = key.text ?? ""
    guard !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "]") }) else {
      throw Refusal([
        (rule.each?.node ?? rule.node).fault("a key of \(named) cannot name an instance")
      ])
    }
    return "\(rule.name)[\(text)]"
  }

  @ObservingActor
  private func isWanted(
    _ lookup: InstanceLookup, _ program: Program
  ) throws(Refusal) -> Bool {
    guard let when = rule.when else { return true }
    guard case .bool(let isWanted) = try evaluate(when, lookup, program) else {
      throw Refusal([when.node.fault("'when' of \(named) must be true or false")])
    }
    return isWanted
  }

  @ObservingActor
  private func evaluate(
    _ rule: ExpressionRule, _ lookup: InstanceLookup, _ program: Program
  ) throws(Refusal) -> Value {
    _ = lookup.takeSecretRead()
    do {
      return try rule.expression.evaluate(lookup)
    } catch {
      let isSecret = lookup.takeSecretRead()
      throw Refusal(error.diagnostics(in: rule.node, of: named, program, isSecret: isSecret))
    }
  }

  @ObservingActor
  private func path(
    _ file: FileRule, _ lookup: InstanceLookup, _ program: Program
  ) throws(Refusal) -> String {
    _ = lookup.takeSecretRead()
    let path: String
    do {
      path = destinations.path(of: try file.path.render(lookup, check: Self.fault(ofPiece:)))
    } catch {
      let isSecret = lookup.takeSecretRead()
      throw Refusal(error.diagnostics(in: file.node, of: named, program, isSecret: isSecret))
    }
    guard !lookup.takeSecretRead() else {
      throw Refusal([file.node.fault("\(named): the path reads a secret, and paths are shown")])
    }
    return path
  }

  /// What is wrong with a value put into a path: it must be one name of a file or directory, or a
  /// part of one, so that no value leads to another directory.
  private static func fault(ofPiece piece: String) -> String? {
    if piece.isEmpty { return "a part of the path is empty" }
    if piece == "." || piece == ".." { return "a part of the path is '\(piece)'" }
    if piece.utf8.contains(UInt8(ascii: "/")) { return "a part of the path holds '/'" }
    if piece.utf8.contains(0) { return "a part of the path holds a NUL character" }
    return nil
  }

  /// Renders the content, and gives the parts of it that depend on a secret.
  @ObservingActor
  private func render(
    _ content: FileRule.Content, _ lookup: InstanceLookup, _ program: Program,
    into bytes: inout [UInt8]
  ) throws(Refusal) -> [Range<Int>] {
    _ = lookup.takeSecretRead()
    let readsSecret = program.store.settings.hasSecrets ? { lookup.takeSecretRead() } : nil
    switch content {
    case .template(let rule, let node):
      guard let loaded = program.templates[rule] else { throw Refusal([]) }
      do {
        let parts = try loaded.template.render(lookup, into: &bytes, readsSecret: readsSecret)
        return parts.hasBlocks ? [bytes.indices] : parts.ranges
      } catch {
        throw Refusal(error.diagnostics(in: loaded.template, of: named, at: node, program))
      }
    case .inline(let template, let node):
      do {
        let parts = try template.render(lookup, into: &bytes, readsSecret: readsSecret)
        return parts.hasBlocks ? [bytes.indices] : parts.ranges
      } catch {
        throw Refusal(error.diagnostics(in: node, of: named, program))
      }
    case .value(let expression, let format, let node):
      let value = try evaluate(
        ExpressionRule(expression: expression, node: node), lookup, program)
      let isSecret = lookup.takeSecretRead()
      do {
        bytes = try format.write(value)
      } catch {
        let reason = isSecret ? error.reason : "\(error)"
        throw Refusal([node.fault("\(named) cannot be written as \(format.rawValue): \(reason)")])
      }
      return isSecret ? [bytes.indices] : []
    }
  }

  private func owner(_ file: FileRule) throws(Refusal) -> Owner? {
    guard let owner = file.owner else { return nil }
    do {
      return try Owner(owner.text)
    } catch {
      throw Refusal([owner.node.fault("\(named): \(error)")])
    }
  }

  private var named: String { "target '\(rule.name)'" }
}
