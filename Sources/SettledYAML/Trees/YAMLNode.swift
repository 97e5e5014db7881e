public import SettledValues

/// A map, list or scalar of a document, with its place.
public struct YAMLNode: Sendable {
  /// The shapes of a node.
  public enum Kind: Sendable, Hashable {
    /// Keys and values.
    case map
    /// Elements in order.
    case list
    /// Text.
    case scalar
  }

  /// How a node is written.
  public enum Style: UInt8, Sendable, Hashable {
    /// A scalar without quotes.
    case plain
    /// A scalar in single quotes.
    case singleQuoted
    /// A scalar in double quotes.
    case doubleQuoted
    /// A scalar after `|`.
    case literal
    /// A scalar after `>`.
    case folded
    /// A map or list by indentation.
    case block
    /// A map or list in brackets.
    case flow
  }

  /// The document it belongs to.
  public let document: YAMLDocument
  /// The record that holds the key and, for an alias, its mark.
  package let entry: UInt32
  /// The record of the node itself.
  let index: UInt32

  init(document: YAMLDocument, entry: UInt32) {
    self.document = document
    self.entry = entry
    let record = document.nodes[Int(entry)]
    index = record.kind == .alias ? record.start : entry
  }

  var record: NodeRecord { document.nodes[Int(index)] }

  /// Its shape.
  public var kind: Kind {
    switch record.kind {
    case .map: .map
    case .list: .list
    case .scalar, .alias: .scalar
    }
  }

  /// How it is written.
  public var style: Style { record.style }

  /// Where it is written: for what an alias names, where its anchor is.
  public var place: Place {
    document.source.place(line: record.line, column: record.column)
  }

  /// Where the alias is that stands for this node, or nil where it is written in place.
  public var aliasPlace: Place? {
    guard entry != index else { return nil }
    let alias = document.nodes[Int(entry)]
    return document.source.place(line: alias.line, column: alias.column)
  }

  /// The number of entries or elements; 0 for a scalar.
  public var count: Int { kind == .scalar ? 0 : Int(record.count) }

  /// The entries of a map in the order written; none for other nodes.
  public var entries: [Entry] {
    kind == .map ? children.map { Entry(value: $0) } : []
  }

  /// The elements of a list; none for other nodes.
  public var elements: [YAMLNode] { kind == .list ? children : [] }

  /// The value of `key` in a map, or nil where there is none.
  public subscript(key: String) -> YAMLNode? {
    guard kind == .map else { return nil }
    var key = key
    guard let number = key.withUTF8({ document.keys.find($0) }) else { return nil }
    return document.entry(number, in: record).map { YAMLNode(document: document, entry: $0) }
  }

  /// The text of a scalar, decoded, whatever its type; empty for other nodes.
  public var text: String {
    kind == .scalar ? document.withText(of: record) { String(decoding: $0, as: UTF8.self) } : ""
  }

  /// Whether it is a plain scalar with nothing written: `key:`.
  public var isEmpty: Bool { record.flags.contains(.isEmpty) }

  /// Whether it is `null`, `~`, or nothing.
  public var isNull: Bool { kind == .scalar && record.scalarClass == .null }

  private var children: [YAMLNode] {
    var children: [YAMLNode] = []
    children.reserveCapacity(count)
    var child = document.firstChild(record)
    while child != NodeRecord.none {
      children.append(YAMLNode(document: document, entry: child))
      child = document.nodes[Int(child)].next
    }
    return children
  }
}

extension YAMLNode {
  /// A key and its value.
  public struct Entry: Sendable {
    /// The value.
    public let value: YAMLNode

    /// The key's text.
    public var key: String { value.document.key(record.key) }

    /// Where the key is written: for what a merge key brought, in the map it came from.
    public var keyPlace: Place {
      value.document.source.place(line: record.keyLine, column: record.keyColumn)
    }

    /// Where the alias after the `<<` is that brought this entry, or nil for a map's own.
    public var mergePlace: Place? {
      record.flags.contains(.isMerged) ? value.aliasPlace : nil
    }

    private var record: NodeRecord { value.document.nodes[Int(value.entry)] }
  }
}
