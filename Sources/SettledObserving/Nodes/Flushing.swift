extension Graph {
  /// How many rounds of handlers may follow one change before they count as feedback.
  static let roundLimit = 100

  /// How many transactions are open.
  private static var openTransactions = 0
  /// Observers to run at the end of the transaction or section.
  private static var pending: [Observer] = []
  /// Leaves whose model is gone.
  private static var orphans: [Node] = []
  /// Derivations that read a plain object that is changed in this section; nil where none do.
  private static var unsettled: [Derivation]?
  private static var isFlushing = false
  /// The observer whose handler is running.
  private static var handling: Observer?
  /// Whose handler made an observer pending, in this flush.
  private static var causes: [ObjectIdentifier: Observer] = [:]

  /// Whether handlers have to wait for the end of a transaction.
  static var isInTransaction: Bool { openTransactions > 0 }

  /// Opens a transaction, or a part of the one that is open.
  @usableFromInline
  static func beginTransaction() {
    openTransactions += 1
  }

  /// Ends what was begun, and runs what is due if that was the whole transaction.
  @usableFromInline
  static func endTransaction() {
    openTransactions -= 1
    markUnsettled()
    flush()
  }

  /// Runs what is due at the end of a section.
  static func endSection() {
    markUnsettled()
    unsettled = nil
    freeBuried()
    flush()
    freeBuried()
  }

  /// Has `observer` run at the next flush.
  static func enlist(_ observer: Observer) {
    pending.append(observer)
    if let handling { causes[ObjectIdentifier(observer)] = handling }
  }

  /// Has the readers of the leaves of a model that is gone look again, at the section's end.
  ///
  /// A model that an evaluation made and dropped is nobody's subject.
  static func abandon(_ leaves: some Sequence<Node>) {
    if !isDeriving { orphans += leaves }
  }

  /// Marks `derivation`, which reads a plain object that is about to change.
  ///
  /// The new value is not stored yet, so a value derived before the end of the section may be old:
  /// until then it is marked again before each look.
  static func unsettle(_ derivation: Derivation) {
    unsettled = (unsettled ?? []) + [derivation]
    if isDeriving { refuseChange() } else { mark(derivation) }
  }

  /// Marks again what reads plain objects that change in this section.
  static func markUnsettled() {
    guard let unsettled, !isDeriving, !isFlushing else { return }
    for derivation in unsettled { mark(derivation) }
  }

  /// Runs rounds until nothing is pending: first all values, then the handlers.
  private static func flush() {
    guard !isFlushing, openTransactions == 0, !isDeriving else { return }
    isFlushing = true
    defer {
      isFlushing = false
      if !causes.isEmpty { causes = [:] }
    }
    for round in 1... {
      let observers = takePending()
      if observers.isEmpty { return }
      guard round <= roundLimit else { return stopFeedback(of: observers) }
      run(observers)
    }
  }

  /// Takes the observers of the next round, in the order in which they were made.
  private static func takePending() -> [Observer] {
    if !orphans.isEmpty {
      let leaves = orphans
      orphans = []
      for leaf in leaves { leaf.changed() }
    }
    var observers = pending
    pending = []
    if observers.count > 1 { observers.sort { $0.number < $1.number } }
    return observers
  }

  /// Derives all values from one state, and then runs the handlers of those that differ.
  private static func run(_ observers: [Observer]) {
    let due = observers.filter { $0.isDue() }
    for observer in due {
      handling = observer
      observer.notify()
    }
    handling = nil
  }

  /// Drops what is pending after too many rounds, and says who keeps changing what.
  private static func stopFeedback(of observers: [Observer]) {
    for observer in observers { observer.skip() }
    var told: Set<ObjectIdentifier> = []
    for observer in observers where !told.contains(ObjectIdentifier(observer)) {
      let path = path(to: observer)
      let error = ObservingError.feedback(path.map(\.name))
      for member in path where told.insert(ObjectIdentifier(member)).inserted {
        member.report(error)
      }
    }
  }

  /// The observers whose handlers led to `observer`, back to one that occurs twice.
  private static func path(to observer: Observer) -> [Observer] {
    var path = [observer]
    var seen: Set = [ObjectIdentifier(observer)]
    while let cause = causes[ObjectIdentifier(path[path.count - 1])] {
      path.append(cause)
      if !seen.insert(ObjectIdentifier(cause)).inserted { break }
    }
    return path.reversed()
  }
}
