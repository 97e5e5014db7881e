/// A node that is computed from others: a memo or an observer.
///
/// What depends on the type of the value is in closures that are made where the type is known, so
/// that the compiler can specialise them in the modules of users.
@usableFromInline
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

  @usableFromInline let name: String
  /// Computes anew by ``derive(_:)``, and raises `version` if the outcome differs.
  @usableFromInline final var compute: (@ObservingActor () -> Void)?
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

  @usableFromInline
  init(name: String) {
    self.name = name
  }

  final override var asDerivation: Derivation? { self }

  isolated deinit {
    dropSources()
    Graph.bury(compute as Any)
  }

  /// Computes anew.
  final func evaluate() { compute?() }

  /// Brings the value up to date for a read, and records that.
  ///
  /// - Returns: the error of a derivation that needs its own value.
  @usableFromInline
  final func prepareRead() -> ObservingError? {
    var error: ObservingError?
    if state == .running { error = Graph.cycle(through: self) } else { refresh() }
    read()
    return error
  }

  /// Tells an error that nobody takes.
  @usableFromInline
  final func reportUnhandled(_ error: any Error) {
    ObservingActor.onUnhandledError(error, name)
  }

  /// Has those who read the value take it for a new one.
  @usableFromInline
  final func announceNewValue() { version += 1 }

  /// Called when what was clean is marked.
  func enlist() {}

  /// Records that the evaluation in progress read `node`.
  final func record(_ node: Node) {
    guard node.lastReading != reading else { return }
    node.lastReading = reading
    let place = confirmed
    confirmed += 1
    if sources.confirm(node, at: place) { return }
    if place == sources.count {
      sources.append(connected(to: node, at: place))
    } else {
      disconnect(place)
      let former = sources[place]
      sources[place] = connected(to: node, at: place)
      Graph.bury(former)
    }
  }

  /// Runs `body` with its reads recorded as the sources.
  ///
  /// - Returns: why the evaluation fails whatever `body` did, or nil.
  @usableFromInline
  final func derive(_ body: () -> Void) -> ObservingError? {
    guard Graph.begin(self) else { return tooDeep }
    let outer = Graph.reader
    Graph.reader = self
    Graph.readings += 1
    reading = Graph.readings
    confirmed = 0
    if !Stack.withRoom({ trackingPlainObjects(body) }) { fault = tooDeep }
    Graph.reader = outer
    dropSources(from: confirmed)
    let fault = fault
    self.fault = nil
    Graph.end(self)
    return fault
  }

  private var tooDeep: ObservingError { .tooDeep(name: name, limit: Graph.depthLimit) }

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

extension [Derivation.Source] {
  /// Tells whether `node` stands at `place` already, and then notes the version that is seen now.
  ///
  /// It is nearly always, and this takes one check of exclusive access where it could take several.
  @ObservingActor
  fileprivate mutating func confirm(_ node: Node, at place: Int) -> Bool {
    guard place < count, self[place].node === node else { return false }
    self[place].seen = node.version
    return true
  }
}
