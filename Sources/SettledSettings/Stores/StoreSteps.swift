internal import SettledValues

/// Nodes of the store by the step that leads to them: a key as a string, a position as an integer.
///
/// Few keys are searched from the front and low positions lead to their element, both at a small part
/// of what hashing a `Value` takes; a `Value` compares keys by bytes.
struct StoreSteps {
  private var keys: [(key: String, node: StoreNode)] = []
  private var elements: [StoreNode?] = []
  private var others: [Value: StoreNode] = [:]

  /// How many keys are searched from the front.
  private static let searched = 8
  /// Below which positions stand in a list, which is as long as the last of them.
  private static let listed = 256

  /// The node of a step; one that is there is not set again.
  subscript(step: Value) -> StoreNode? {
    get {
      switch step {
      case .string(let key):
        for entry in keys where entry.key.hasSameBytes(as: key) { return entry.node }
        return others.isEmpty ? nil : others[step]
      case .int(let position) where (0..<Int64(Self.listed)).contains(position):
        return position < elements.count ? elements[Int(position)] : nil
      default: return others[step]
      }
    }
    set {
      switch step {
      case .string(let key) where keys.count < Self.searched:
        if let newValue { keys.append((key, newValue)) }
      case .int(let position) where (0..<Int64(Self.listed)).contains(position):
        while elements.count <= position { elements.append(nil) }
        elements[Int(position)] = newValue
      default: others[step] = newValue
      }
    }
  }

  /// How many steps there are, or a few more.
  var count: Int { keys.count + elements.count + others.count }

  /// All steps with their nodes.
  var all: [(step: Value, node: StoreNode)] {
    let elements = elements.enumerated().compactMap { position, node in
      node.map { (step: Value.int(Int64(position)), node: $0) }
    }
    return keys.map { (.string($0.key), $0.node) } + elements
      + others.map { ($0.key, $0.value) }
  }
}
