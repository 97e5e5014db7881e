import Glibc
import SettledInputs
import Testing

struct MailboxTests {
  @Test func `messages come in the order they were put in`() throws {
    let mailbox = try Mailbox<Int>()
    for number in 0..<5 { mailbox.post(number) }
    #expect(mailbox.takeAll() == [0, 1, 2, 3, 4])
    #expect(mailbox.takeAll() == [])
  }

  @Test func `what is closed takes nothing, and gives what nobody took`() throws {
    let mailbox = try Mailbox<Int>()
    #expect(mailbox.post(1))
    #expect(mailbox.takeAll() == [1])
    #expect(mailbox.post(2))
    #expect(mailbox.close() == [2])
    #expect(!mailbox.post(3))
    #expect(mailbox.takeAll() == [])
    #expect(mailbox.close() == [])
  }

  @Test func `a message wakes the loop once`() throws {
    let (loop, mailbox) = (try EventLoop(), try Mailbox<String>())
    var heard: [String] = []
    _ = try loop.deliver(mailbox) { heard.append($0) }
    mailbox.post("one")
    mailbox.post("two")
    try loop.turn()
    #expect(heard == ["one", "two"])
    try loop.turn(atMost: .zero)
    #expect(heard == ["one", "two"])
  }

  @Test func `no message of many threads is lost`() throws {
    let (loop, mailbox) = (try EventLoop(), try Mailbox<Int>())
    let (threads, each) = (4, 2_000)
    var sums = [Int](repeating: 0, count: threads)
    var count = 0
    let registration = try loop.deliver(mailbox) { message in
      sums[message / each] += message % each
      count += 1
      if count == threads * each { loop.stop() }
    }
    for thread in 0..<threads {
      startThread {
        for number in 0..<each { mailbox.post(thread * each + number) }
      }
    }
    try loop.run()
    loop.remove(registration)
    #expect(sums == [Int](repeating: each * (each - 1) / 2, count: threads))
  }
}

/// Runs `body` on a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body)).toOpaque()
  pthread_create(
    &thread, nil,
    { pointer in
      guard let pointer else { return nil }
      Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
      return nil
    }, box)
  pthread_detach(thread)
}
