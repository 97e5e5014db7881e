import SettledValues
import TestSupport
import Testing
import Varlink

/// A Python that has the package `varlink`, or nil: `SETTLED_PYTHON`, else `python3`.
private let python: String? = {
  let candidate = environment("SETTLED_PYTHON") ?? "python3"
  let outcome = try? run([candidate, "-c", "import varlink.tests.test_certification"])
  guard outcome?.status == 0 else {
    print("skipped: python varlink is absent; pip install varlink and set SETTLED_PYTHON")
    return nil
  }
  return candidate
}()

@Suite struct `the certification of varlink` {
  @Test func `is passed by client and server together`() throws {
    let server = try RunningServer { Certification() }
    try certify(at: server.path)
  }

  @Test func `is failed by a client that skips a step`() throws {
    let server = try RunningServer { Certification() }
    let client = try Client(server.path, timeout: .seconds(30))
    let id = try client.call("org.varlink.certification.Start")
    #expect(throws: Client.Fault.self) { try client.call("org.varlink.certification.End", id) }
  }

  @Test(.enabled(if: python != nil)) func `is passed by the server with the Python client`() throws
  {
    let server = try RunningServer { Certification() }
    let module = "varlink.tests.test_certification"
    let outcome = try run([
      try #require(python), "-m", module, "--client", "--varlink=unix:" + server.path,
    ])
    #expect(outcome.output.contains("Certification passed"), "\(outcome.errors)")
  }

  @Test(.enabled(if: python != nil)) func `is passed by the client with the Python server`() throws
  {
    let directory = try TemporaryDirectory()
    let module = "varlink.tests.test_certification"
    let server = try RunningProgram([
      try #require(python), "-m", module, "--varlink=unix:" + directory.path("s"),
    ])
    try server.wait { names(in: directory.path).contains("s") }
    try certify(at: directory.path("s"))
  }

  /// Goes through all steps, giving each the reply of the one before it.
  private func certify(at path: String) throws {
    let client = try Client(path, timeout: .seconds(30))
    let interface = "org.varlink.certification."
    let id = try client.call(interface + "Start")["client_id"] ?? nil
    var reply = ValueMap()
    for step in (1...9).map({ "Test0\($0)" }) {
      reply["client_id"] = id
      reply = try client.call(interface + step, reply)
      if step != "Test09" { #expect(reply.count == Certification.replies[step]?.count) }
    }
    var texts: [Value] = []
    reply["client_id"] = id
    try client.callMore(interface + "Test10", reply) { reply in
      texts.append(reply["string"] ?? nil)
      return true
    }
    #expect(texts.count == 10)
    try client.notify(interface + "Test11", ["client_id": id, "last_more_replies": .list(texts)])
    #expect(try client.call(interface + "End", ["client_id": id]) == ["all_ok": true])
  }
}
