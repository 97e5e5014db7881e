internal import SettledValues
internal import SettledYAML

/// What two trees have alike, as far as it shows where their layers are compared one by one: most of a
/// file that was edited is written as it was.
///
/// What is merged at a path hangs on nothing but what each layer has there, which of them is the floor,
/// and what is marked as secret.
extension SettingsNode {
  /// The keys of two maps that may lead to something else in one than in the other, each once.
  ///
  /// - Returns: nil where that is not known, or where as many as `limit` entries are gone through for it.
  func keysThatMayDiffer(from old: SettingsNode, limit: Int = .max) -> [String]? {
    guard kind == .map, old.kind == .map, let pairs = pairs(with: old) else { return nil }
    let different = pairs.filter { !$0.old.isIdentical(to: $0.new) }
    let entries = different.reduce(0) { $0 + $1.old.writtenCount + $1.new.writtenCount }
    guard entries < limit else { return nil }
    var keys: [String] = []
    for pair in different {
      keys += pair.old.withDocuments(of: pair.new) {
        $0.keysThatDiffer(pair.old.reference.index, pair.new.reference.index)
      }
    }
    guard different.count > 1 else { return keys }
    var known: Set<Value> = []
    return keys.filter { known.insert(.string($0)).inserted }
  }

  /// Whether two maps or lists show to be the same, in all that is below them.
  func isWrittenAlike(as other: SettingsNode) -> Bool {
    allPairs(with: other) { $0.isAlike($1, $2) }
  }

  /// Whether two maps show to have the same keys.
  func isWrittenWithSameKeys(as other: SettingsNode) -> Bool {
    allPairs(with: other) { $0.hasSameKeys($1, $2) }
  }

  private func allPairs(
    with other: SettingsNode, _ holds: (DocumentPair, UInt32, UInt32) -> Bool
  ) -> Bool {
    pairs(with: other)?.allSatisfy { left, right in
      left.isIdentical(to: right)
        || left.withDocuments(of: right) { holds($0, left.reference.index, right.reference.index) }
    } ?? false
  }

  /// The nodes of the layers that two nodes come from, each beside that of the other's; nil where what
  /// is made of them may differ though they do not.
  private func pairs(with old: SettingsNode) -> [(old: SettingsNode, new: SettingsNode)]? {
    guard tree.hasFloor == old.tree.hasFloor, tree.marks?.paths == old.tree.marks?.paths else {
      return nil
    }
    let (left, right) = (old.written, written)
    guard left.count == right.count else { return nil }
    let pairs = zip(left, right).map { (old: $0, new: $1) }
    let areOfOneKind = pairs.allSatisfy { old, new in
      old.document.isSecret == new.document.isSecret && old.isFloor == new.isFloor
    }
    return areOfOneKind ? pairs : nil
  }

  private var written: [SettingsNode] { reference.isMerged ? sources : [self] }

  private var isFloor: Bool { tree.hasFloor && reference.layer == 0 }

  /// The number of entries that are written in a map, nulls included.
  private var writtenCount: Int {
    Int(document.nodes[Int(document.resolved(reference.index))].count)
  }

  /// Calls `body` with the documents of two nodes, neither of which is merged.
  private func withDocuments<Answer>(
    of other: SettingsNode, _ body: (DocumentPair) -> Answer
  ) -> Answer {
    DocumentPair.with(document, other.document, check(with: other), body)
  }

  /// Tells whether entries of two documents are read alike, and marked alike; nil where all are.
  private func check(with other: SettingsNode) -> DocumentPair.Check? {
    let isRead = tree.readings.isEmpty && other.tree.readings.isEmpty
    if isRead, tree.marks == nil, other.tree.marks == nil { return nil }
    return { [reference, tree, otherReference = other.reference, otherTree = other.tree] in
      let left = NodeReference(layer: reference.layer, index: $0)
      let right = NodeReference(layer: otherReference.layer, index: $1)
      return tree.reading(left) == otherTree.reading(right)
        && tree.marks?.contains(left) == otherTree.marks?.contains(right)
    }
  }
}
