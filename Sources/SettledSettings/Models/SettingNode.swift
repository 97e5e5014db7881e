public import SettledValues
internal import SettledYAML

/// What stands at one path of the settings, for who reads it as a type.
///
/// The text of a plain scalar is kept until a type is asked for: ``string()`` gives `1.10` and `yes`
/// as they are written.
public struct SettingNode: Sendable {
  /// The path.
  public var path: Path { step.map { Path(parent.components + [$0]) } ?? parent }
  private let parent: Path
  private let step: Path.Component?
  let settings: Settings
  let node: SettingsNode
  /// Whether its declaration says that nobody may see it.
  var isSecret = false

  /// The node of a path; nil where nothing is set.
  public init?(_ settings: Settings, at path: Path = Path()) {
    guard let node = settings.node(at: path) else { return nil }
    self.init(path: path, settings: settings, node: node)
  }

  /// Creates a node; its path is made only for who asks.
  init(path: Path, step: Path.Component? = nil, settings: Settings, node: SettingsNode) {
    parent = path
    self.step = step
    self.settings = settings
    self.node = node
  }

  /// Whether null is written: an element of a list; a null in a map is not set.
  public var isNull: Bool { node.kind == .scalar && node.document.isNull(node.reference.index) }

  /// The text of a string as written.
  ///
  /// - Throws: that it is no string.
  public func string() throws(Refusal) -> String {
    try read("a string") { node throws(Refusal) in try node.string() }
  }

  /// An integer.
  ///
  /// - Throws: that it is none, and what to write.
  public func int() throws(Refusal) -> Int64 {
    try read("an integer") { node throws(Refusal) in try node.int() }
  }

  /// A finite number.
  ///
  /// - Throws: that it is none, and what to write.
  public func double() throws(Refusal) -> Double {
    try read("a number") { node throws(Refusal) in try node.double() }
  }

  /// A truth value.
  ///
  /// - Throws: that it is none, and what to write.
  public func bool() throws(Refusal) -> Bool {
    try read("true or false") { node throws(Refusal) in try node.bool() }
  }

  /// A span of time with its units: `10s`, `1h30m`.
  ///
  /// - Throws: that it is none, and what to write.
  public func duration() throws(Refusal) -> Duration {
    try read("a duration such as 10s") { node throws(Refusal) in try node.duration() }
  }

  /// A number of bytes: `65536`, `64KiB`, `10MB`.
  ///
  /// - Throws: that it is none, and what to write.
  public func byteCount() throws(Refusal) -> Int64 {
    try read("a size such as 64KiB") { node throws(Refusal) in try node.byteCount() }
  }

  /// The elements of a list.
  ///
  /// - Throws: that it is none.
  public func elements() throws(Refusal) -> [SettingNode] {
    guard node.kind == .list else { throw mismatch("a list") }
    let path = path
    return node.elements.enumerated().map { child(.index($0), of: path, $1) }
  }

  /// The entries of a map, in order.
  ///
  /// - Throws: that it is none.
  public func entries() throws(Refusal) -> [(key: String, value: SettingNode)] {
    guard node.kind == .map else { throw mismatch("a map") }
    let path = path
    return node.entries.map { entry in
      let key = entry.key
      return (key, child(.key(key), of: path, entry.node))
    }
  }

  /// A refusal of what stands here, as in `'http.port' must be at most 65535, not 70000`.
  ///
  /// - Parameters:
  ///   - expected: what it must be.
  ///   - hint: what to do.
  /// - Returns: the refusal, to be thrown.
  public func mismatch(_ expected: String, hint: String? = nil) -> Refusal {
    refusal("must be \(expected)" + (shown.map { ", not \($0)" } ?? ""), hint: hint)
  }

  /// A refusal of what stands here: `'path'` and the rest of a sentence, which shows no secret.
  public func refusal(_ predicate: String, hint: String? = nil) -> Refusal {
    var fault = settings.fault("'\(path)' \(predicate)", at: path, hint: hint)
    if isSecret { fault.excerpt = nil }
    return Refusal([fault])
  }

  /// Whether nobody may see what stands here.
  private var isHidden: Bool { isSecret || settings.isSecret(at: path) }

  func child(_ step: Path.Component, of path: Path, _ node: SettingsNode) -> SettingNode {
    var child = SettingNode(path: path, step: step, settings: settings, node: node)
    child.isSecret = isSecret
    return child
  }

  /// What stands here in a few words; nil for a secret.
  private var shown: String? {
    switch node.kind {
    case .map: return "a map"
    case .list: return "a list"
    case .scalar:
      guard !isHidden else { return nil }
      let scalar = node.document.node(node.reference.index)
      switch scalar.value() {
      case .int, .double, .bool: return scalar.text
      default: return scalar.shown
      }
    }
  }

  /// Reads a scalar; what is wrong with it is told with the path, and the hint of who read it.
  private func read<Answer>(
    _ expected: String, _ body: (YAMLNode) throws(Refusal) -> Answer
  ) throws(Refusal) -> Answer {
    guard node.kind == .scalar else { throw mismatch(expected) }
    do {
      return try body(node.document.node(node.reference.index))
    } catch {
      let hint = isHidden ? nil : error.diagnostics.first?.hint
      throw mismatch(expected, hint: hint)
    }
  }
}

extension SettingNode {
  /// The number of entries that are set, or of elements.
  var count: Int { node.count }

  /// The entry `key` of a map, or nil where it is not set.
  func member(_ key: String, of path: Path) -> SettingNode? {
    node.member(key).map { child(.key(key), of: path, $0) }
  }

  /// An error for each entry of a map whose key is none of `known`; each at its key.
  func unknownKeys(besides known: [String]) -> [Diagnostic] {
    node.entries.compactMap { entry in
      let key = entry.key
      guard !known.contains(where: { $0.hasSameBytes(as: key) }) else { return nil }
      let document = entry.keyDocument
      let place = document.keyPlace(entry.keyEntry)
      let thing = path.components.isEmpty ? "the settings have" : "'\(path)' has"
      return Diagnostic(
        .error, "\(thing) no key '\(key)'", at: place,
        excerpt: isSecret
          ? nil
          : document.node(entry.keyEntry).excerpt(
            at: place, length: key.unicodeScalars.count),
        hint: key.hint(among: known))
    }
  }
}
