/// The values of a closure over time: the current one first, then each later one that differs.
///
/// A reader that is slow gets the newest and skips what was in between; it never ends on a value
/// that is not the last. Each iteration observes for itself, from its first element until it is
/// left, its task is cancelled, or the sequence ends.
public struct ObservedValues<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// Nil ends the sequence.
  let value: @ObservingActor () throws(Failure) -> Element?
  let isSame: @Sendable (Element, Element) -> Bool
  let name: String

  /// Starts an iteration, which observes from its first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: self)
  }

  /// One reader.
  public struct Iterator: AsyncIteratorProtocol {
    let values: ObservedValues
    private var reader: Reader?
    private var former: Element?

    init(values: ObservedValues) {
      self.values = values
    }

    /// Waits for a value that differs from the former one; nil at the end or when cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      let reader: Reader
      if let started = self.reader { reader = started } else { reader = await values.start() }
      self.reader = reader
      while true {
        switch await reader.latest.take() {
        case .value(let value):
          if let former, values.isSame(former, value) { continue }
          former = value
          return value
        case .end:
          reader.token.cancel()
          return nil
        case .failure(let error):
          reader.token.cancel()
          throw error
        }
      }
    }
  }

  /// What an iteration holds while it observes.
  private struct Reader {
    let latest: LatestValue<Element, Failure>
    let token: ObservationToken
  }

  @ObservingActor
  private func start() -> Reader {
    let latest = LatestValue<Element, Failure>()
    let token = observe(
      value, named: name,
      isSame: { [isSame] former, new in
        guard let former, let new else { return former == nil && new == nil }
        return isSame(former, new)
      },
      onError: { [name] error in
        if let failure = error as? Failure { return latest.end(.failure(failure)) }
        ObservingActor.onUnhandledError(error, name)
      },
      didChange: { _, new in
        if let new { latest.put(new) } else { latest.end() }
      })
    return Reader(latest: latest, token: token)
  }
}

/// The values of a closure: the current one first, then each later one that differs.
///
/// ```swift
/// for await size in values({ app.perWorker }) { await pool.resize(to: size) }
/// ```
///
/// - Parameters:
///   - value: computes the value, without changing anything that is observed.
///   - name: what the observation is called in errors; the calling function, if left out.
/// - Returns: a sequence that goes on until it is cancelled, or throws what `value` throws.
public func values<Element: Equatable & Sendable, Failure: Error>(
  _ value: @escaping @ObservingActor () throws(Failure) -> Element, named name: String = #function
) -> ObservedValues<Element, Failure> {
  ObservedValues(
    value: { () throws(Failure) in .some(try value()) }, isSame: { $0 == $1 }, name: name)
}

/// The values of a closure up to the first nil.
///
/// With a weak reference to a model, the sequence ends when the model is gone:
///
/// ```swift
/// for await size in values(untilNil: { [weak app] in app?.perWorker }) { ... }
/// ```
///
/// - Parameters:
///   - value: computes the value, without changing anything that is observed.
///   - name: what the observation is called in errors; the calling function, if left out.
/// - Returns: a sequence that ends at nil, when it is cancelled, or throws what `value` throws.
@_disfavoredOverload  // `values { optional }` means the form above, which has no label to tell
public func values<Element: Equatable & Sendable, Failure: Error>(
  untilNil value: @escaping @ObservingActor () throws(Failure) -> Element?,
  named name: String = #function
) -> ObservedValues<Element, Failure> {
  ObservedValues(value: value, isSame: { $0 == $1 }, name: name)
}
