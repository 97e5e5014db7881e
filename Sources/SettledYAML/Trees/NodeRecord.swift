/// A node as the table holds it: 36 bytes, links as indices.
///
/// A record in a map also holds its key. Marks are libyaml's, counted from 0 in code points.
struct NodeRecord {
  enum Kind: UInt8 {
    case map, list, scalar
    /// Stands for the node at `start`.
    case alias
  }

  struct Flags: OptionSet {
    var rawValue: UInt8
    /// The text is in the side buffer, not in the source.
    static let isAside = Flags(rawValue: 1)
    /// The key is a plain `<<`.
    static let isMerge = Flags(rawValue: 2)
    /// The entry came by a merge key; its mark is the alias after the `<<`.
    static let isMerged = Flags(rawValue: 4)
    /// A map with an entry that is null.
    static let hasNull = Flags(rawValue: 8)
    /// A map or list with an index in `slots` at `start`.
    static let isWide = Flags(rawValue: 16)
    /// Has a tag of its own.
    static let isTagged = Flags(rawValue: 32)
    /// A scalar with nothing written.
    static let isEmpty = Flags(rawValue: 64)
  }

  /// No node, no key.
  static let none = UInt32.max

  var kind: Kind
  var style: YAMLNode.Style
  var flags: Flags = []
  var scalarClass: ScalarClass = .string
  /// The interned key, or `none` outside of maps.
  var key = none
  var keyLine: UInt32 = 0
  var keyColumn: UInt32 = 0
  var line: UInt32
  var column: UInt32
  /// Where a scalar's text starts, a container's first child, its index, or an alias's node.
  var start = none
  /// The bytes of a scalar's text, or the number of a container's children.
  var count: UInt32 = 0
  /// The next child of the same container.
  var next = none
}
