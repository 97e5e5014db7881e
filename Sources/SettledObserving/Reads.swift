extension Memo {
  /// The dependencies that the last evaluation read, itself or through other memos, and that
  /// `isMeant` picks by their ``Dependency/identity``; in the order in which they were read.
  ///
  /// - Parameters:
  ///   - limit: how many are given at most.
  ///   - visits: how many reads are looked at for that at most.
  ///   - isMeant: whether a dependency is one of those asked for.
  /// - Returns: the identities of those found.
  public func reads(
    upTo limit: Int, visits: Int = 10_000, where isMeant: (ObjectIdentifier) -> Bool
  ) -> [ObjectIdentifier] {
    var found: [ObjectIdentifier] = []
    var seen: Set<ObjectIdentifier> = []
    var stack: [Node] = [node]
    while let node = stack.popLast(), seen.count < visits, found.count < limit {
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      if let derivation = node.asDerivation {
        stack += derivation.sources.reversed().map(\.node)
      } else if isMeant(ObjectIdentifier(node)) {
        found.append(ObjectIdentifier(node))
      }
    }
    return found
  }
}
