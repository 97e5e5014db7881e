/// Hands values from the actor to one reader elsewhere; a newer value replaces one not yet taken.
final class LatestValue<Element: Sendable, Failure: Error>: Sendable {
  /// What a reader gets.
  enum Delivery: Sendable {
    case value(Element)
    case end
    case failure(Failure)
  }

  private struct State: Sendable {
    var value: Element?
    /// How it ends, once the value is taken.
    var ending: Delivery?
    var waiting: [CheckedContinuation<Delivery, Never>] = []
  }

  private let state = Locked(State())

  /// Has `value` delivered, instead of any that was not taken.
  func put(_ value: Element) {
    let reader = state.withLock { state in
      if state.ending != nil { return nil as CheckedContinuation<Delivery, Never>? }
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.value = value
      return nil
    }
    reader?.resume(returning: .value(value))
  }

  /// Ends after what was put, by `ending`.
  func end(_ ending: Delivery = .end) {
    let readers = state.withLock { state in
      if state.ending == nil { state.ending = ending }
      defer { state.waiting = [] }
      return state.waiting
    }
    for (index, reader) in readers.enumerated() {
      reader.resume(returning: index == 0 ? ending : .end)
    }
  }

  /// Waits for the next value; the end, where the task is cancelled.
  func take() async -> Delivery {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let delivery = state.withLock { Self.deliver(from: &$0, orHave: reader) }
        if let delivery { reader.resume(returning: delivery) }
      }
    } onCancel: {
      state.withLock { $0.value = nil }
      end()
    }
  }

  private static func deliver(
    from state: inout State, orHave reader: CheckedContinuation<Delivery, Never>
  ) -> Delivery? {
    if let value = state.value {
      state.value = nil
      return .value(value)
    }
    if let ending = state.ending {
      state.ending = .end
      return ending
    }
    state.waiting.append(reader)
    return nil
  }
}
