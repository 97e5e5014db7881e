import Control
import Glibc
import SettledValues
import TestSupport
import Testing

@Suite struct `a client of the daemon` {
  let directory: TemporaryDirectory
  let thread: PollingThread

  init() throws {
    directory = try TemporaryDirectory()
    thread = try PollingThread { [path = directory.path("s")] in
      try FixedDaemon().serve(at: path)
    }
  }

  @Test func `asks and is answered`() throws {
    let client = try ControlClient(directory.path("s"))
    #expect(try client.status() == FixedDaemon.status)
    #expect(try client.value(at: "http.port") == 8080)
    #expect(try client.values().derived == ["pi": 3.5])
    #expect(try client.reload() == FixedDaemon.verdict)
    #expect(try client.status().generation == 7)
  }

  @Test func `is told why there is no answer`() throws {
    let client = try ControlClient(directory.path("s"))
    let hint = "did you mean 'http.port'?"
    #expect(throws: ControlClient.Fault.refused(.notFound(path: "x", hint: hint))) {
      try client.value(at: "x")
    }
    #expect(throws: ControlClient.Fault.refused(.failed("division by zero"))) {
      try client.value(at: "broken")
    }
    #expect(throws: ControlClient.Fault.refused(.notReady)) { try client.value(at: "late") }
  }

  @Test func `is told that no daemon runs`() throws {
    let fault = #expect(throws: ControlClient.Fault.self) {
      _ = try ControlClient(directory.path("none"))
    }
    guard case .notRunning(let path, _)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(path == directory.path("none"))
  }

  @Test(.enabled(if: ThirdParty.python != nil)) func `may be any Varlink client`() throws {
    let address = "unix:\(directory.path("s"))"
    func call(_ method: String, _ parameters: String = "{}") throws -> String {
      let outcome = try run([
        try #require(ThirdParty.python), "-m", "varlink.cli", "call",
        "\(address)/io.settled.\(method)", parameters,
      ])
      return outcome.output.filter { !" \n".contains($0) } + outcome.errors
    }
    #expect(try call("Get", #"{"path":"http.port"}"#) == #"{"value":8080}"#)
    #expect(try call("GetStatus").contains(#""state":"degraded""#))
    #expect(try call("Show").contains(#""pi":3.5"#))
    #expect(try call("Reload").contains(#""outcome":"refused""#))
    #expect(try call("Get", #"{"path":"x"}"#).contains("io.settled.NotFound"))
  }
}

/// Varlink clients by others.
enum ThirdParty {
  /// A Python that has the package `varlink`, or nil: `SETTLED_PYTHON`, else `python3`.
  static let python: String? = {
    let candidate = environment("SETTLED_PYTHON") ?? "python3"
    guard (try? run([candidate, "-c", "import varlink"]))?.status == 0 else {
      print("skipped: python varlink is absent; pip install varlink and set SETTLED_PYTHON")
      return nil
    }
    return candidate
  }()
}
