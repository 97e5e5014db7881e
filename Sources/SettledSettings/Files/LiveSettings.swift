internal import Dispatch
internal import SettledInputs
public import SettledObserving
public import SettledValues

/// Keeps a model in step with files: whenever one changes, on SIGHUP, and when it is asked to.
///
/// A reload is all or nothing: a fault in any file leaves the model as it is, and ``reloads`` says
/// what is wrong and where. Files are watched as they are saved, moved, linked and dropped in; a fault
/// in a file that changed is told when it still stands half a second later, as many a file is
/// written in pieces.
///
/// ```swift
/// let live = try await LiveSettings(files, in: shop)
/// for await reload in live.reloads { print(reload.summary) }
/// ```
///
/// It follows the files until it is stopped, or dropped and its ``reloads`` are read by nobody.
public final class LiveSettings: Sendable {
  private let stream: AsyncStream<Reload>
  private let requests: Mailbox<Follower.Request>
  private let hangUps: HangUps?

  /// Loads settings into a model, and follows the files from then on.
  ///
  /// - Parameters:
  ///   - files: the layers.
  ///   - model: the model.
  ///   - path: where its settings are.
  ///   - takesHangUp: whether SIGHUP is taken as the wish to read all again.
  /// - Throws: a `Refusal` with all that is wrong with the files, or a `SystemError`.
  @ObservingActor
  public init(
    _ files: SettingsFiles, in model: some SettingsModel, at path: Path = Path(),
    takesHangUp: Bool = true
  ) throws {
    let requests = try Mailbox<Follower.Request>()
    let (stream, continuation) = AsyncStream.makeStream(
      of: Reload.self, bufferingPolicy: .bufferingNewest(64))
    var loader = SettingsLoader(files)
    try model.update(from: loader.load(), at: path)
    hangUps = takesHangUp ? try HangUps { requests.post(.reload(.hangUp)) } : nil
    self.requests = requests
    self.stream = stream
    let update: Follower.Update = { settings in
      ObservingActor.sync {
        Result { () throws(Refusal) in
          let changes = try model.update(from: settings, at: path, isReload: true)
          return (changes.paths, changes.warnings)
        }
      }
    }
    DispatchQueue(label: "settled.files").async { [loader] in
      Follower.follow(loader, asked: requests, update: update) { continuation.yield($0) }
      continuation.finish()
    }
  }

  deinit { stop() }

  /// What reloads came to, each once: for one reader.
  ///
  /// A reader that is slow finds the newest 64. A change of a file that changes nothing is not told.
  public var reloads: Reloads { Reloads(live: self, stream: stream) }

  /// Follows the files no more; ``reloads`` end.
  public func stop() { requests.post(.stop) }

  /// Reads all again now; what is stopped refuses to.
  public func reload() async -> Reload {
    await withCheckedContinuation { continuation in
      let isTaken = requests.post(.answer { continuation.resume(returning: $0) })
      if !isTaken { continuation.resume(returning: .ended) }
    }
  }
}

/// What the reloads of ``LiveSettings`` came to; who reads them keeps it alive.
public struct Reloads: AsyncSequence, Sendable {
  let live: LiveSettings
  let stream: AsyncStream<Reload>

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(live: live, stream: stream.makeAsyncIterator())
  }

  /// One reader.
  public struct Iterator: AsyncIteratorProtocol {
    let live: LiveSettings
    var stream: AsyncStream<Reload>.Iterator

    /// Waits for the next reload; nil where it was stopped, or the task cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Reload? {
      let reload = await stream.next(isolation: actor)
      // Held until here: who waits in a loop has no other use for it.
      return withExtendedLifetime(live) { reload }
    }
  }
}
