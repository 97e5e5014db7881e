import Glibc
import SettledSystemd
import Testing

@Suite struct NotifierTests {
  @Test(arguments: [
    (NotifyMessage.ready(), "READY=1"),
    (
      .ready(status: "generation 1 settled", errno: 0),
      "READY=1\nERRNO=0\nSTATUS=generation 1 settled"
    ),
    (
      .ready(status: "REJECTED app.yaml:12: no; generation 6 kept", errno: EINVAL),
      "READY=1\nERRNO=22\nSTATUS=REJECTED app.yaml:12: no; generation 6 kept"
    ),
    (
      .reloading(at: MonotonicTime(microseconds: 12_345_678), status: "reading"),
      "RELOADING=1\nMONOTONIC_USEC=12345678\nSTATUS=reading"
    ),
    (.status("loading 3 layers"), "STATUS=loading 3 layers"),
    (.failed(errno: EINVAL, status: "a.yaml:1: no"), "ERRNO=22\nSTATUS=a.yaml:1: no"),
    (.stopping(status: "stopping"), "STOPPING=1\nSTATUS=stopping"),
    (.watchdog, "WATCHDOG=1"),
    (.watchdogTrigger, "WATCHDOG=trigger"),
    (.extendTimeout(by: .milliseconds(1500)), "EXTEND_TIMEOUT_USEC=1500000"),
    (.extendTimeout(by: .seconds(-1)), "EXTEND_TIMEOUT_USEC=0"),
    (.watchdog.and(.extendTimeout(by: .seconds(2))), "WATCHDOG=1\nEXTEND_TIMEOUT_USEC=2000000"),
  ])
  func `a message has the fields of sd_notify`(message: NotifyMessage, text: String) {
    #expect(message.text == text)
  }

  @Test func `a status is one line, without control characters`() {
    let message = NotifyMessage.status("a\nREADY=1\tb\u{1B}[0m")
    #expect(message.text == "STATUS=a READY=1 b [0m")
  }

  @Test func `a long status ends at a code point within the limit`() {
    let message = NotifyMessage.status(String(repeating: "ü", count: 5000))
    #expect(message.text.utf8.count == "STATUS=".utf8.count + NotifyMessage.statusLimit)
  }

  @Test(arguments: [false, true])
  func `a message arrives as one datagram`(abstract: Bool) throws {
    let inbox = try DatagramInbox(abstract: abstract)
    let notifier = Notifier(address: inbox.address)
    notifier.send(.reloading(at: MonotonicTime(microseconds: 7)))
    notifier.send(.ready(status: "settled"))
    #expect(inbox.next() == "RELOADING=1\nMONOTONIC_USEC=7")
    #expect(inbox.next() == "READY=1\nSTATUS=settled")
    #expect(inbox.next() == nil)
  }

  @Test func `a receiver that does not read holds nobody up, and gets what comes once it reads`()
    throws
  {
    let inbox = try DatagramInbox()
    let notifier = Notifier(address: inbox.address, patience: .milliseconds(50))
    // Beyond any queue (unix(7), max_dgram_qlen) and any buffer.
    for number in 0..<10_000 { notifier.send(.status("\(number)")) }
    var read = 0
    while let message = inbox.next() {
      #expect(message == "STATUS=\(read)")
      read += 1
    }
    #expect((1..<10_000).contains(read))
    notifier.send(.ready(status: "settled"))
    #expect(inbox.next() == "READY=1\nSTATUS=settled")
  }

  @Test func `a reload is dated by the monotonic clock`() throws {
    let inbox = try DatagramInbox()
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    Notifier(address: inbox.address).send(.reloading())
    let datagram = try #require(inbox.next())
    let sent = try #require(datagram.split(separator: "=").last.flatMap { Int($0) })
    #expect(abs(sent / 1_000_000 - time.tv_sec) <= 1)
  }

  @Test(arguments: [
    nil, "", "/", "relative", "vsock:2:1", "/nonexistent/socket",
    "/" + String(repeating: "x", count: 200),
  ])
  func `an address that nobody answers is no failure`(address: String?) {
    Notifier(address: address).send(.ready())
  }
}
