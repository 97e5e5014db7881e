import Glibc
import SettledSystemd
import Testing

@Suite struct ServiceEnvironmentTests {
  private func environment(_ variables: [String: String]) -> ServiceEnvironment {
    ServiceEnvironment(process: 42) { variables[$0] }
  }

  @Test func `outside of systemd there is nothing`() {
    let empty = environment([:])
    #expect(empty.notifyAddress == nil)
    #expect(empty.watchdogInterval == nil)
    #expect(empty.listenSockets.isEmpty)
    #expect(empty.credentialsDirectory == nil)
    #expect(empty.journalStream == nil)
  }

  @Test(arguments: [
    (["WATCHDOG_USEC": "60000000"], Duration.seconds(60)),
    (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "42"], .seconds(60)),
    (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "41"], nil),
    (["WATCHDOG_USEC": "0"], nil),
    (["WATCHDOG_USEC": "-5"], nil),
    (["WATCHDOG_USEC": "soon"], nil),
    (["WATCHDOG_USEC": "99999999999999999999"], nil),
  ])
  func `the watchdog is that of this process`(variables: [String: String], interval: Duration?) {
    #expect(environment(variables).watchdogInterval == interval)
  }

  @Test func `sockets have descriptors from 3 on and their names`() {
    let sockets = environment([
      "LISTEN_PID": "42", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "control:",
    ]).listenSockets
    #expect(sockets.map(\.descriptor) == [3, 4, 5])
    #expect(sockets.map(\.name) == ["control", "", "unknown"])
  }

  @Test(arguments: [
    ["LISTEN_PID": "41", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"],
    ["LISTEN_PID": "42", "LISTEN_FDS": "-1"], ["LISTEN_PID": "42", "LISTEN_FDS": "2000000000"],
    ["LISTEN_PID": "42", "LISTEN_FDS": "many"],
  ])
  func `sockets of others and senseless counts are not taken`(variables: [String: String]) {
    #expect(environment(variables).listenSockets.isEmpty)
  }

  @Test func `of several directories the first counts`() {
    let directories = environment([
      "STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "RUNTIME_DIRECTORY": "/run/a",
      "CREDENTIALS_DIRECTORY": "/run/credentials/a.service",
    ])
    #expect(directories.stateDirectory == "/var/lib/a")
    #expect(directories.runtimeDirectory == "/run/a")
    #expect(directories.credentialsDirectory == "/run/credentials/a.service")
  }

  @Test(arguments: ["", "8", "8:", "8:x", "8:1:2", "-8:1"])
  func `a broken stream identity is none`(text: String) {
    #expect(StreamIdentity(text) == nil)
  }

  @Test func `a stream is known by its device and inode`() throws {
    var status = stat()
    try #require(fstat(STDERR_FILENO, &status) == 0)
    let stream = try #require(StreamIdentity("\(status.st_dev):\(status.st_ino)"))
    #expect(stream == StreamIdentity(descriptor: STDERR_FILENO))
    #expect(StreamIdentity(descriptor: -1) == nil)
  }

  @Test func `a child does not get what is the service's own`() {
    let variables = [
      "PATH=/bin", "NOTIFY_SOCKET=/run/n", "WATCHDOG_PID=1", "WATCHDOG_USEC=1", "LISTEN_FDS=1",
      "LISTEN_PID=1", "LISTEN_FDNAMES=a", "LISTEN_FDS_X=kept", "NOTIFY=kept", "BROKEN",
    ]
    #expect(
      ServiceEnvironment.forChild(variables)
        == ["PATH=/bin", "LISTEN_FDS_X=kept", "NOTIFY=kept", "BROKEN"])
  }
}
