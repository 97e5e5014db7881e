/// Memos that are read together again and again, at the price of those that may differ.
///
/// A memo that is marked notes its place here, so that of ten thousand of which one changed one is
/// looked at. It is for who observes nothing by it: stock observers are not told of the memos.
@ObservingActor
package final class MemoList<Value> {
  private let memos: [Memo<Value, Never>]
  /// The values as they were last; nil where none was asked for.
  private var known: [Value]?
  private let marked = MarkedPlaces()

  /// Creates the list of some memos.
  package init(_ memos: [Memo<Value, Never>]) {
    self.memos = memos
    for (place, memo) in memos.enumerated() {
      memo.node.listings.append(Listing(marked: marked, place: place))
    }
  }

  isolated deinit {
    for memo in memos { memo.node.listings.removeAll { $0.marked === marked } }
  }

  /// The values that hold now, in the order of the memos.
  package var values: [Value] {
    // What is being evaluated depends on each, and in the midst of it a value may not be the last.
    guard !Graph.isDeriving else { return memos.map(\.value) }
    Graph.markUnsettled()
    let places = marked.take()
    guard var values = known else {
      let values = memos.indices.map(value)
      known = values
      return values
    }
    known = nil
    for place in places.sorted() { values[place] = value(at: place) }
    known = values
    return values
  }

  private func value(at place: Int) -> Value {
    let memo = memos[place]
    memo.node.refresh()
    // What does not hold even now is not marked again.
    if memo.node.state != .clean { marked.note(place) }
    switch memo.node.outcome {
    case .success(let value): return value
    case .failure(let error): return memo.recover(error).get()
    }
  }
}

/// The places of memos that were marked since they were taken last.
@ObservingActor
final class MarkedPlaces {
  private var places: Set<Int> = []

  func note(_ place: Int) { places.insert(place) }

  func take() -> Set<Int> {
    defer { places = [] }
    return places
  }
}

/// A list that a memo is in, and where.
struct Listing {
  let marked: MarkedPlaces
  let place: Int
}
