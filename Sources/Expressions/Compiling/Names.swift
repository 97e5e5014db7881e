public import SettledValues

/// A free name that an expression uses.
public struct Root: Sendable, Hashable {
  /// The name.
  public var name: String
  /// Where it stands in the source, in UTF-8 bytes.
  public var range: Range<Int>
  /// The setting it leads to: the name and the members that are known without evaluation.
  ///
  /// A member that may be absent (`has()`, `.?`) is left out.
  public var path: Path
  /// Where the path stands in the source, in UTF-8 bytes.
  public var pathRange: Range<Int>
  /// Whether it is also the name of a type, and so need not be one of the lookup's.
  public var isTypeName: Bool
}

/// The names of types, which are values themselves.
private let typeNames: Set<String> = [
  "bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint",
  "optional_type", "google.protobuf.Timestamp", "google.protobuf.Duration",
]

extension Compiler {
  /// Finds what a name with steps after it means, and how many of the steps belong to it.
  mutating func resolve(
    _ name: String, isAbsolute: Bool, steps: [Syntax.Step], at range: SourceRange
  ) -> (node: any Node, consumed: Int) {
    if !isAbsolute, let position = scope.position(of: name) {
      return resolveLocal(at: position, steps, range)
    }
    let members = steps.prefix { !$0.isOptional }.map(\.memberName).prefix { $0 != nil }
    let parts = [name] + members.compactMap(\.self)
    for count in stride(from: parts.count, through: 2, by: -1) {
      let qualified = parts[..<count].joined(separator: ".")
      guard typeNames.contains(qualified) else { continue }
      let end = steps[count - 2].range
      return (ConstantNode(.type(qualified), at: range.through(end)), count - 1)
    }
    note(parts, steps, at: range)
    let type: Value? = typeNames.contains(name) ? .type(name) : nil
    guard dialect.resolvesQualifiedNames || !dialect.container.isEmpty else {
      return (NameNode(name, type: type, at: range), 0)
    }
    let candidates = candidates(parts, isAbsolute: isAbsolute)
    let end = parts.count > 1 ? steps[parts.count - 2].range : range
    let node = QualifiedNameNode(
      candidates, type: parts.count == 1 ? type : nil, at: range.through(end))
    return (node, parts.count - 1)
  }

  private mutating func resolveLocal(
    at position: Int, _ steps: [Syntax.Step], _ range: SourceRange
  ) -> (node: any Node, consumed: Int) {
    let local = scope.locals[position]
    slotsRead.insert(local.slot)
    depth = max(depth, local.depth)
    if local.isLoop {
      let member = steps.first.flatMap { $0.isOptional ? nil : $0.memberName }
      if let member, let field = LoopNode.Field(rawValue: member) {
        return (LoopNode(field, slot: local.slot, at: range.through(steps[0].range)), 1)
      }
      return (LoopNode(nil, slot: local.slot, at: range), 0)
    }
    let outer: (any Node)? = local.mayBeUnset ? resolve(local.name, below: position, range) : nil
    return (LocalNode(local.name, slot: local.slot, outer: outer, at: range), 0)
  }

  /// What `name` means where it was not set.
  private mutating func resolve(
    _ name: String, below end: Int, _ range: SourceRange
  ) -> any Node {
    guard let position = scope.position(of: name, below: end) else {
      return NameNode(name, type: nil, at: range)
    }
    let local = scope.locals[position]
    slotsRead.insert(local.slot)
    depth = max(depth, local.depth)
    let outer = local.mayBeUnset ? resolve(name, below: position, range) : nil
    return LocalNode(name, slot: local.slot, outer: outer, at: range)
  }

  private mutating func note(_ parts: [String], _ steps: [Syntax.Step], at range: SourceRange) {
    let end = parts.count > 1 ? steps[parts.count - 2].range : range
    roots.append(
      Root(
        name: parts[0], range: range.offsets, path: Path(parts.map(Path.Component.key)),
        pathRange: range.through(end).offsets, isTypeName: typeNames.contains(parts[0])))
  }

  /// The names that `parts` may be, the longest first, each in the container and the namespaces
  /// around it.
  private func candidates(
    _ parts: [String], isAbsolute: Bool
  ) -> [QualifiedNameNode.Candidate] {
    var namespaces = [""]
    if !isAbsolute, !dialect.container.isEmpty {
      let names = dialect.container.split(separator: ".")
      for count in 1...max(1, names.count) {
        namespaces.insert(names.prefix(count).joined(separator: ".") + ".", at: 0)
      }
    }
    return stride(from: parts.count, to: 0, by: -1).flatMap { count in
      namespaces.map { namespace in
        QualifiedNameNode.Candidate(
          name: namespace + parts[..<count].joined(separator: "."),
          members: Array(parts[count...]))
      }
    }
  }
}

extension Syntax.Step {
  /// The name, if it is not an index.
  fileprivate var memberName: String? {
    if case .member(let name) = kind { name } else { nil }
  }
}
