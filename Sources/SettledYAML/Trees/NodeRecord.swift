/// A node as the table holds it: 36 bytes, links as indices.
///
/// A record in a map also holds its key. Marks are libyaml's, counted from 0 in code points.
package struct NodeRecord {
  package enum Kind: UInt8 {
    case map, list, scalar
    /// Stands for the node at `start`.
    case alias
  }

  package struct Flags: OptionSet {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The text is in the side buffer, not in the source.
    package static let isAside = Flags(rawValue: 1)
    /// The key is a plain `<<`.
    package static let isMerge = Flags(rawValue: 2)
    /// The entry came by a merge key; its mark is the alias after the `<<`.
    package static let isMerged = Flags(rawValue: 4)
    /// A map with an entry that is null.
    package static let hasNull = Flags(rawValue: 8)
    /// A map or list with an index in `slots` at `start`.
    package static let isWide = Flags(rawValue: 16)
    /// Has a tag of its own.
    package static let isTagged = Flags(rawValue: 32)
    /// A scalar with nothing written.
    package static let isEmpty = Flags(rawValue: 64)
  }

  /// No node, no key.
  package static let none = UInt32.max

  package var kind: Kind
  package var style: YAMLNode.Style
  package var flags: Flags = []
  package var scalarClass: ScalarClass = .string
  /// The interned key, or `none` outside of maps.
  package var key = none
  package var keyLine: UInt32 = 0
  package var keyColumn: UInt32 = 0
  package var line: UInt32
  package var column: UInt32
  /// Where a scalar's text starts, a container's first child, its index, or an alias's node.
  package var start = none
  /// The bytes of a scalar's text, or the number of a container's children.
  package var count: UInt32 = 0
  /// The next child of the same container.
  package var next = none
}
