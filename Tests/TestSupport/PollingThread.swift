import Dispatch
import Glibc

/// A thread that calls something whenever a descriptor is readable, until the last reference to
/// this goes.
public final class PollingThread: Sendable {
  /// What is called, and when.
  public typealias Work = (descriptor: Int32, process: () -> Void)

  private let stop: Int32
  private let ended = DispatchSemaphore(value: 0)

  /// Starts a thread that first makes its work; when this returns, the work is made.
  public init(_ make: @escaping @Sendable () throws -> Work) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemFault("pipe") }
    stop = ends[1]
    let started = DispatchSemaphore(value: 0)
    DispatchQueue(label: "polling").async { [ended, stopped = ends[0]] in
      Self.poll(make, until: stopped) { started.signal() }
      close(stopped)
      ended.signal()
    }
    started.wait()
  }

  deinit {
    close(stop)
    ended.wait()
  }

  private static func poll(
    _ make: () throws -> Work, until stopped: Int32, started: () -> Void
  ) {
    guard let work = try? make() else { return started() }
    started()
    var awaited = [work.descriptor, stopped].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while awaited[1].revents == 0 {
      Glibc.poll(&awaited, 2, -1)
      work.process()
    }
  }
}
