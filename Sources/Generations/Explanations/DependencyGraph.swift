import Expressions
import SettledObserving
import SettledSettings
public import SettledValues
import SettledYAML

/// What is read by what: from settings through derived values to targets.
public struct DependencyGraph: Sendable, Equatable {
  /// A setting, derived value or target.
  public struct Node: Sendable, Hashable {
    /// What it is.
    public var kind: Explanation.Kind
    /// Its name or path.
    public var name: String
    /// What else is shown of it: the expression of a derived value, the file of a target.
    public var detail: String

    /// What tells it from all others: `setting http.port`.
    public var identity: String { "\(kind.rawValue) \(name)" }
  }

  /// That one node is read by another, by their identities.
  public struct Edge: Sendable, Hashable {
    /// What is read.
    public var from: String
    /// What reads it.
    public var to: String
  }

  /// The settings that something reads, the derived values and the targets.
  public private(set) var nodes: [Node] = []
  /// What is read by what.
  public private(set) var edges: [Edge] = []
}

extension DependencyGraph {
  /// Draws what a program reads.
  @ObservingActor
  init(_ program: Program) {
    let reading = Reading(program)
    let manifest = program.manifest
    var settings: [String] = []
    var known: Set<Edge> = []
    func connect(_ sources: [Reading.Source], to reader: Node, below roots: [Path] = []) {
      for source in sources {
        let node = Self.node(for: source, below: roots)
        if node.kind == .setting, !settings.contains(node.name) { settings.append(node.name) }
        let edge = Edge(from: node.identity, to: reader.identity)
        if known.insert(edge).inserted { edges.append(edge) }
      }
    }
    for rule in manifest.derived {
      let node = Node(kind: .derived, name: rule.name, detail: rule.expression.source)
      nodes.append(node)
      connect(reading.reads(ofDerived: rule.name), to: node)
    }
    for (position, rule) in manifest.targets.enumerated() {
      let detail = rule.file?.node.text ?? rule.actions.first?.text ?? ""
      let node = Node(kind: .target, name: rule.name, detail: detail)
      nodes.append(node)
      let each = rule.each?.expression.roots.map(\.path) ?? []
      connect(reading.reads(ofTarget: position), to: node, below: each)
    }
    nodes = settings.map { Node(kind: .setting, name: $0, detail: "") } + nodes
  }

  /// The node of something read: the list for its elements, the map that makes the instances of a
  /// target for its entries.
  private static func node(for source: Reading.Source, below roots: [Path]) -> Node {
    guard case .setting(let read) = source else {
      return Node(kind: .derived, name: source.name, detail: "")
    }
    let steps = read.path.components.prefix { if case .index = $0 { false } else { true } }
    var path = Path(Array(steps))
    if let root = roots.first(where: { path.components.starts(with: $0.components) }) {
      path = root
    }
    return Node(kind: .setting, name: path.description, detail: "")
  }
}

extension DependencyGraph {
  /// The graph as programs read it.
  public var wire: ValueMap {
    [
      "version": 1,
      "nodes": .list(
        nodes.map { node in
          [
            "kind": .string(node.kind.rawValue), "name": .string(node.name),
            "detail": .string(node.detail),
          ]
        }),
      "edges": .list(edges.map { ["from": .string($0.from), "to": .string($0.to)] }),
    ]
  }

  /// Reads a graph back.
  public init(wire: Value) {
    nodes = wire.list("nodes").compactMap { node in
      guard let kind = node["kind"]?.text.flatMap(Explanation.Kind.init),
        let name = node["name"]?.text
      else { return nil }
      return Node(kind: kind, name: name, detail: node["detail"]?.text ?? "")
    }
    edges = wire.list("edges").compactMap { edge in
      guard let from = edge["from"]?.text, let to = edge["to"]?.text else { return nil }
      return Edge(from: from, to: to)
    }
  }
}
