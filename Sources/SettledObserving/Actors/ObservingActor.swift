/// The global actor on which models, memos, observers and every write to them live.
///
/// Being confined to one actor, not clever re-arming, is what makes observation exact. Code on
/// other actors and threads enters with ``run(_:)`` or ``sync(_:)``.
///
/// A *section* is what runs on the actor without a pause: a stretch of a task between two
/// suspensions, or a whole ``sync(_:)`` from outside. Writes made outside of a transaction are
/// announced once, when their section ends.
@globalActor
public actor ObservingActor {
  /// The one instance.
  public static let shared = ObservingActor()

  static let executor = ActorExecutor()

  /// The executor, a serial dispatch queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }

  /// Receives errors that nobody else takes, with the name of what failed.
  ///
  /// These are cycles seen by a memo with a fallback, observers that keep changing what they
  /// observe, and errors thrown in an observed closure without an `onError`. The default writes a
  /// line to standard error.
  @ObservingActor
  public static var onUnhandledError: @ObservingActor (any Error, _ name: String) -> Void = {
    error, name in printToStandardError("observing '\(name)': \(error)")
  }

  /// Whether the calling code runs on the actor.
  public static var isCurrent: Bool { ActorExecutor.isCurrent }

  /// Runs `body` on the actor from anywhere; when it returns, all handlers have run.
  public static func run<Answer: Sendable>(
    _ body: @ObservingActor () throws -> Answer
  ) async rethrows -> Answer {
    try await runSection(body)
  }

  /// Runs `body` on the actor at once and blocks until it and all handlers have run.
  ///
  /// Called on the actor already, it calls `body` as a part of the running section. It must not
  /// be called while holding something, such as a lock, that code on the actor waits for.
  public static func sync<Answer: Sendable>(
    _ body: @ObservingActor () throws -> Answer
  ) rethrows -> Answer {
    if ActorExecutor.isCurrent { return try assume(body) }
    return try executor.sync { try assume { try runSection(body) } }
  }

  /// Runs `body` at once where this is the actor, else soon.
  static func perform(_ body: @escaping @ObservingActor () -> Void) {
    if ActorExecutor.isCurrent { assume(body) } else { executor.async(body) }
  }

  /// Calls `body`, which the caller knows to be on the actor.
  @inline(__always)
  static func assume<Answer>(_ body: @ObservingActor () throws -> Answer) rethrows -> Answer {
    // As `MainActor.assumeIsolated` does: the cast only drops the isolation from the type.
    try withoutActuallyEscaping(body) { escaping in
      try unsafeBitCast(escaping, to: (() throws -> Answer).self)()
    }
  }

  /// Calls `body` with `input`, which need not be Sendable, as both stay on this thread.
  @inline(__always)
  static func assume<Input, Answer>(
    _ input: Input, _ body: @ObservingActor (Input) throws -> Answer
  ) rethrows -> Answer {
    try withoutActuallyEscaping(body) { escaping in
      try unsafeBitCast(escaping, to: ((Input) throws -> Answer).self)(input)
    }
  }

  /// Stops the program with a message where the calling code is not on the actor.
  @inline(__always)
  static func check() {
    if !ActorExecutor.isCurrent { executor.checkIsolated() }
  }

  @ObservingActor
  private static func runSection<Answer: Sendable>(
    _ body: @ObservingActor () throws -> Answer
  ) rethrows -> Answer {
    defer { Graph.endSection() }
    return try body()
  }
}
