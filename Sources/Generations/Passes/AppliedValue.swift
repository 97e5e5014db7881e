public import SettledValues

extension Applied {
  /// The state as one file of JSON holds it.
  public var value: Value {
    Self.value(
      [
        ("files", Self.value(files.sorted) { $0.value }),
        ("followed", Self.value(followed.sorted) { .string($0) }),
        ("actions", Self.value(actions.sorted) { .list($0.map(\.value)) }),
      ] + rest)
  }

  /// What the parts do not hold.
  var head: Value { Self.value([("parts", .int(Int64(AppliedFiles.partCount)))] + rest) }

  /// What one part holds.
  func value(ofPart number: Int) -> Value {
    Self.value([
      ("files", Self.value(Self.sorted(files.part(number))) { $0.value }),
      ("followed", Self.value(Self.sorted(followed.part(number))) { .string($0) }),
      ("actions", Self.value(Self.sorted(actions.part(number))) { .list($0.map(\.value)) }),
    ])
  }

  private var rest: [(String, Value)] {
    let due = Self.value(Self.sorted(due)) { .list($0.map(\.value)) }
    return [("pending", .list(pending.sorted().map { .string($0) })), ("due", due)]
  }

  private static func value(_ entries: [(String, Value)]) -> Value {
    .map(ValueMap([("version", .int(1))] + entries.map { (.string($0.0), $0.1) }))
  }

  private static func value<Element>(
    _ entries: [(key: String, value: Element)], _ value: (Element) -> Value
  ) -> Value {
    .map(ValueMap(entries.map { (key: .string($0.key), value: value($0.value)) }))
  }

  private static func sorted<Element>(
    _ entries: [String: Element]
  ) -> [(key: String, value: Element)] {
    entries.sorted { $0.key < $1.key }
  }
}

extension Applied {
  /// Whether there is so much that it is stored in parts.
  var isParted: Bool {
    files.count + followed.count + actions.count > AppliedFiles.wholeLimit
  }

  /// Whether one part holds the same as in `other`.
  func hasSamePart(_ number: Int, as other: Applied) -> Bool {
    files.part(number) == other.files.part(number)
      && followed.part(number) == other.followed.part(number)
      && actions.part(number) == other.actions.part(number)
  }

  /// Whether what the parts do not hold is the same as in `other`.
  func hasSameHead(as other: Applied) -> Bool { pending == other.pending && due == other.due }

  /// Whether a file says that the rest lies in parts.
  static func isParted(_ head: Value) -> Bool {
    guard case .map(let map) = head else { return false }
    return map["parts"] == .int(Int64(AppliedFiles.partCount))
  }

  /// Reads a state back; what is damaged counts as not applied.
  public init(_ value: Value) {
    self.init()
    add(value)
  }

  /// Adds what a file holds.
  mutating func add(_ value: Value) {
    guard case .map(let map) = value else { return }
    for (name, value) in Self.entries(map["files"]) {
      if let file = File(value) { files[name] = file }
    }
    for (name, digest) in Self.entries(map["followed"]) { followed[name] = digest.text }
    for (name, list) in Self.entries(map["actions"]) { actions[name] = Self.actions(list) }
    for (name, list) in Self.entries(map["due"]) { due[name] = Self.actions(list) }
    if case .list(let pending)? = map["pending"] {
      for case .string(let name) in pending { self.pending.insert(name) }
    }
  }

  private static func actions(_ value: Value) -> [DueAction]? {
    guard case .list(let list) = value else { return nil }
    return list.compactMap(DueAction.init)
  }

  private static func entries(_ value: Value?) -> [(String, Value)] {
    guard case .map(let map)? = value else { return [] }
    return zip(map.keys, map.values).compactMap { key, value in key.text.map { ($0, value) } }
  }
}

extension Applied.File {
  fileprivate var value: Value {
    var value: ValueMap = ["path": .string(path), "digest": .string(digest)]
    if let mode { value["mode"] = .int(mode) }
    if let owner { value["owner"] = .string(owner) }
    if isFound { value["found"] = true }
    return .map(value)
  }

  fileprivate init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let path)? = map["path"],
      case .string(let digest)? = map["digest"]
    else { return nil }
    self.init(path: path, digest: digest)
    if case .int(let number)? = map["mode"] { mode = number }
    if case .string(let text)? = map["owner"] { owner = text }
    isFound = map["found"] == .bool(true)
  }
}
