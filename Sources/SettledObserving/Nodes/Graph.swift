/// The state that all nodes share: what is being derived, what is waiting to be told.
@usableFromInline
@ObservingActor
enum Graph {
  /// How deep evaluations may nest.
  static let depthLimit = 100_000

  /// The evaluations in progress, the innermost last.
  private static var running: [Derivation] = []
  /// How many there are.
  private(set) static var depth = 0
  /// The evaluation that reads are recorded for; nil in an untracked stretch.
  static var reader: Derivation?
  /// Counts evaluations.
  static var readings = 0
  /// How many observers have a willChange handler.
  static var willChangeObservers = 0
  /// Observers that live until they end by themselves.
  private static var held: [ObjectIdentifier: Observer] = [:]

  /// Leaves that were changed where that is not allowed, to be marked when it is.
  private static var lateChanges: [Node] = []
  /// References given up while nothing may be freed, since that can run users' code.
  private static var graveyard: [Any] = []
  private static var isFreeing = false

  /// Whether an evaluation is in progress.
  static var isDeriving: Bool { depth > 0 }

  /// Starts an evaluation, unless it is nested too deep.
  static func begin(_ derivation: Derivation) -> Bool {
    guard depth < depthLimit else { return false }
    derivation.state = .running
    running.append(derivation)
    depth += 1
    return true
  }

  /// Ends the innermost evaluation.
  static func end(_ derivation: Derivation) {
    running.removeLast()
    depth -= 1
    derivation.state = .clean
    if isDeriving { return }
    if !lateChanges.isEmpty { markLateChanges() }
    freeBuried()
  }

  /// Calls `body` with its reads recorded for nobody.
  @inlinable
  static func untracked<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    let outer = exchangeReader(nil)
    defer { _ = exchangeReader(outer) }
    return try body()
  }

  /// Records reads for `reader`, and returns for whom they were recorded.
  @usableFromInline
  static func exchangeReader(_ reader: Derivation?) -> Derivation? {
    defer { self.reader = reader }
    return self.reader
  }

  /// Notes that the evaluations from `derivation` inwards depend on each other.
  static func cycle(through derivation: Derivation) -> ObservingError {
    let first = running.lastIndex { $0 === derivation } ?? 0
    let error = ObservingError.cycle(running[first...].map(\.name) + [derivation.name])
    for member in running[first...] where member.fault == nil { member.fault = error }
    return error
  }

  /// Notes that the innermost evaluation changed something, which makes it fail.
  static func refuseChange() {
    guard let writer = running.last, writer.fault == nil else { return }
    writer.fault = .changeWhileDeriving(running.map(\.name))
  }

  /// Has `leaf`, which an evaluation changed, marked when no evaluation is in progress.
  static func markLater(_ leaf: Node) {
    lateChanges.append(leaf)
  }

  private static func markLateChanges() {
    let leaves = lateChanges
    lateChanges = []
    for leaf in leaves { leaf.changed() }
  }

  /// Starts `observer` and keeps it until it ends by itself.
  @usableFromInline
  static func hold(_ observer: Observer) {
    held[ObjectIdentifier(observer)] = observer
    observer.start()
  }

  /// Lets go of an observer that ended.
  static func release(_ observer: Observer) {
    if !held.isEmpty { held[ObjectIdentifier(observer)] = nil }
  }

  /// Takes references that were given up, to be freed by ``freeBuried()``.
  static func bury(_ references: Any) {
    graveyard.append(references)
  }

  /// Frees what is buried, when no evaluation is in progress.
  ///
  /// What a freed node held is buried in turn, so that a long chain is freed without recursion.
  static func freeBuried() {
    guard !isDeriving && !isFreeing else { return }
    isFreeing = true
    while graveyard.popLast() != nil {}
    isFreeing = false
  }
}
