import Observation

extension Derivation {
  /// Calls `body` and has plain `@Observable` objects that it reads announce their next change.
  ///
  /// Models do not take part: inside an evaluation they report to the graph alone. Where no plain
  /// object is read, nothing is registered.
  final func trackingPlainObjects(_ body: () -> Void) {
    withObservationTracking(body) { [weak self, reading] in
      ObservingActor.perform { self?.plainObjectWillChange(since: reading) }
    }
  }

  /// Called before a plain object changes, which the evaluation numbered `reading` read.
  private func plainObjectWillChange(since reading: Int) {
    guard reading == self.reading else { return }
    willChange()
    Graph.unsettle(self)
  }
}
