/// A tree of JSON values that is validated, whatever holds it.
///
/// Nodes are numbers into tables, so that going through them counts no references.
protocol Instances {
  associatedtype Node: BitwiseCopyable
  associatedtype Cursor: BitwiseCopyable

  /// The type of a node, one bit.
  func type(of node: Node) -> JSONTypes
  /// The type that a node is read as where a schema would take the types `asked`; `isSure` where
  /// that schema applies whatever else the tree holds.
  func type(of node: Node, asked: JSONTypes, isSure: Bool) -> JSONTypes
  /// The value of a number.
  func number(of node: Node) -> JSONNumber
  /// The value of a truth value.
  func bool(of node: Node) -> Bool
  /// The UTF-8 of a string.
  func text(of node: Node) -> UnsafeBufferPointer<UInt8>
  /// The number of entries or elements.
  func count(of node: Node) -> Int
  /// The start of a map or list.
  func children(of node: Node) -> Cursor
  /// The next entry or element.
  func next(_ cursor: inout Cursor) -> InstanceChild<Node>?
  /// The entry of a map.
  func member(_ key: UnsafeBufferPointer<UInt8>, hash: UInt32, of node: Node) -> Node?
}

extension Instances {
  func type(of node: Node, asked: JSONTypes, isSure: Bool) -> JSONTypes { type(of: node) }
}

/// An entry of a map, or an element of a list, whose key is empty.
struct InstanceChild<Node: BitwiseCopyable>: BitwiseCopyable {
  var node: Node
  var key: UnsafeBufferPointer<UInt8>
  var hash: UInt32
}
