import Glibc

/// Gives deep evaluations room: beyond some depth, they go on on a thread with a large stack.
///
/// An evaluation that reads a memo that was never evaluated nests, in users' closures, so that the
/// depth of a chain is a depth of the stack.
@ObservingActor
enum Stack {
  /// How many evaluations may nest on the stack of the thread that entered the actor.
  private static let callersShare = 64
  /// How often the room is looked at, in evaluations.
  private static let interval = 16
  /// What must be left for the evaluations up to the next look, in bytes.
  private static let reserve: UInt = 512 << 10
  /// The size of a stack, in bytes.
  ///
  /// The thread sanitizer counts frames, of which a larger one would hold too many.
  private static let size: UInt = 8 << 20

  /// The lowest address to be used on the stack in use; nil on that of a thread that entered.
  private static var lowest: UInt?

  /// Calls `body` on a stack with room for it, or returns false where there is none to be had.
  static func withRoom(_ body: () -> Void) -> Bool {
    let depth = Graph.depth
    if depth % interval == 0 && depth > callersShare && !hasRoom { return onFreshStack(body) }
    body()
    return true
  }

  private static var hasRoom: Bool { lowest.map { here > $0 } ?? false }

  /// An address on the stack.
  private static var here: UInt {
    var mark: UInt8 = 0
    return withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
  }

  /// Runs `body` on a thread of its own, which is the actor's for the time, and waits for it.
  private static func onFreshStack(_ body: () -> Void) -> Bool {
    let outer = lowest
    defer { lowest = outer }
    return withoutActuallyEscaping(body) { body in
      let errand = Errand {
        lowest = here - size + reserve
        body()
      }
      return withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
        guard let attributes = buffer.baseAddress else { return false }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, Int(size))
        var thread: pthread_t = 0
        let context = Unmanaged.passUnretained(errand).toOpaque()
        guard pthread_create(&thread, attributes, Errand.run, context) == 0 else {
          return false
        }
        pthread_join(thread, nil)
        return true
      }
    }
  }
}

/// What a thread is given to do, while the one that started it waits.
private final class Errand {
  let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    let errand = Unmanaged<Errand>.fromOpaque(context).takeUnretainedValue()
    ObservingActor.executor.own(errand.body)
    return nil
  }
}
