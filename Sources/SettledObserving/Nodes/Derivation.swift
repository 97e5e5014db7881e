/// A node that is computed from others: a memo or an observer.
@ObservingActor
class Derivation: Node {
  /// What is known about the last evaluation.
  enum State {
    /// It holds.
    case clean
    /// Something further up changed; whether it holds shows when the sources are looked at.
    case suspect
    /// It does not hold, or there was none.
    case stale
    /// One is in progress.
    case running
  }

  /// A node that was read, the version that was seen, and where in its `readers` the edge is.
  struct Source {
    let node: Node
    var seen: Int
    var place: Int
  }

  let name: String
  var state = State.stale
  /// What the last evaluation read, in the order in which it was read.
  var sources: [Source] = []
  /// Whether a verification further out is looking at the sources.
  var isVerifying = false
  /// Why the evaluation in progress fails whatever it returns.
  var fault: ObservingError?
  /// The number of the last evaluation.
  private(set) var reading = 0
  /// How many sources the evaluation in progress has read.
  private var confirmed = 0

  init(name: String) {
    self.name = name
  }

  final override var asDerivation: Derivation? { self }

  isolated deinit { dropSources() }

  /// Computes anew by ``derive(_:)``, and raises `version` if the outcome differs.
  func evaluate() {}

  /// Called when what was clean is marked.
  func enlist() {}

  /// Records that the evaluation in progress read `node`.
  final func record(_ node: Node) {
    guard node.lastReading != reading else { return }
    node.lastReading = reading
    let place = confirmed
    confirmed += 1
    if place == sources.count {
      sources.append(connected(to: node, at: place))
    } else if sources[place].node === node {
      sources[place].seen = node.version
    } else {
      disconnect(place)
      let former = sources[place]
      sources[place] = connected(to: node, at: place)
      Graph.bury(former)
    }
  }

  /// Runs `compute` with its reads recorded as the sources; nil where it nests too deep.
  final func derive<Value>(
    _ compute: @ObservingActor () throws -> Value
  ) -> Result<Value, any Error>? {
    guard Graph.begin(self) else { return nil }
    let outer = Graph.reader
    Graph.reader = self
    Graph.readings += 1
    reading = Graph.readings
    confirmed = 0
    let outcome = Stack.withRoom {
      trackingPlainObjects { Result(catching: compute) }
    }
    Graph.reader = outer
    dropSources(from: confirmed)
    let fault = fault
    self.fault = nil
    Graph.end(self)
    return fault.map(Result.failure) ?? outcome
  }

  /// Removes all edges upwards.
  final func dropSources(from first: Int = 0) {
    guard first < sources.count else { return }
    for place in first..<sources.count { disconnect(place) }
    Graph.bury(Array(sources[first...]))
    sources.removeSubrange(first...)
  }

  private func connected(to node: Node, at place: Int) -> Source {
    node.readers.append(Reader(derivation: self, place: place))
    return Source(node: node, seen: node.version, place: node.readers.count - 1)
  }

  /// Removes the edge of the source at `place` from its node; the last reader takes the gap.
  private func disconnect(_ place: Int) {
    let node = sources[place].node
    let gap = sources[place].place
    let last = node.readers.removeLast()
    guard gap < node.readers.count else { return }
    node.readers[gap] = last
    last.derivation.sources[last.place].place = gap
  }
}
