import Generations
import SettledValues
import TestSupport
import Testing

@Suite struct ExplanationTests {
  private static let files = [
    "settled.yaml": """
    layers: [low.yaml, high.yaml]
    derived:
      listen: http.host + ":" + string(http.port)
      url: '"http://" + listen'
    targets:
      site: {file: /site, content: "{{ url }} {{ http.names[0] }}", reload: nginx.service}
      other: {file: /other, value: http, format: json}
      http: {follows: http.port, run: [restart-it, now]}
      host:
        each: hosts
        as: host
        file: /hosts/{{ host.key }}
        content: "{{ host.value.port }}"
    """,
    "low.yaml": "http: {host: a, port: 80, names: [x]}\nhosts: {one: {port: 1}, two: {port: 2}}\n",
    "high.yaml": "http: {port: 8080}\nunused: 1\n",
  ]

  private func explain(
    _ name: String, as kind: Explanation.Kind? = nil
  ) throws -> Explanation? {
    let folder = try TemporaryDirectory()
    for (name, text) in Self.files { try folder.write(text, to: name) }
    return try Preparation.explaining(name, as: kind, manifest: folder.path("settled.yaml"))
      .explanation.get()
  }

  @Test func `a setting is told with its place, what it overrides and what reads it`() throws {
    let port = try #require(try explain("http.port"))
    #expect(port.kind == .setting)
    #expect(port.value == 8080)
    #expect(port.place == Place(file: "high.yaml", line: 1, column: 14))
    #expect(port.mentions.map(\.value) == [8080, 80])
    #expect(port.mentions.map(\.isInForce) == [true, false])
    #expect(
      port.readers.map { "\($0.kind) \($0.name) \($0.through)" } == [
        "derived listen []", "target other []", "target http []",
        #"derived url ["listen"]"#, #"target site ["listen", "url"]"#,
      ])
    #expect(try explain("unused")?.readers == [])
    #expect(
      try explain("http")?.readers.map(\.name).sorted() == [
        "http", "listen", "other", "site", "url",
      ])
  }

  @Test func `a derived value is told with its expression and what it read`() throws {
    let url = try #require(try explain("url"))
    #expect(url.kind == .derived)
    #expect(url.expression == #""http://" + listen"#)
    #expect(url.value == "http://a:8080")
    #expect(url.reads == ["listen"])
    #expect(url.readers.map(\.name) == ["site"])
    #expect(try explain("listen")?.reads == ["http.host", "http.port"])
  }

  @Test func `a target is told with its file, what it reads and what is done then`() throws {
    let site = try #require(try explain("site"))
    #expect(site.kind == .target)
    #expect(site.reads == ["url", "http.names[0]"])
    #expect(site.actions == ["reload nginx.service"])
    #expect(site.place == Place(file: "settled.yaml", line: 6, column: 3))
    #expect(try explain("host[two]")?.reads == ["hosts", "hosts.two.port"])
    #expect(try explain("http")?.kind == .setting)
    let follower = try #require(try explain("http", as: .target))
    #expect(follower.expression == "http.port")
    #expect(follower.actions == ["run 'restart-it'"])
  }

  @Test func `what does not exist is refused with a hint`() throws {
    let error = #expect(throws: Refusal.self) { try explain("sitee") }
    #expect(error?.diagnostics.first?.hint == "did you mean 'site'?")
    #expect(throws: Refusal.self) { try explain("listen", as: .target) }
  }

  @Test func `an explanation is read back as it was written`() throws {
    for name in ["http.port", "url", "site", "facts.cpus"] {
      let explanation = try #require(try explain(name))
      #expect(Explanation(wire: .map(explanation.wire)) == explanation)
    }
  }

  @Test func `a secret is not told`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("hunter2\n", to: "password")
    try folder.write(
      """
      layers: [{secret: {file: password}, at: db.password}]
      derived: {url: '"x" + db.password'}
      """, to: "settled.yaml")
    for name in ["db.password", "db", "url"] {
      let explained = try Preparation.explaining(
        name, as: nil, manifest: folder.path("settled.yaml")
      ).explanation.get()
      let wire = Value.map(try #require(explained).wire)
      #expect(!String(decoding: try Format.json.write(wire), as: UTF8.self).contains("hunter2"))
    }
  }

  @Test func `the graph has what is read, and one node for all entries`() throws {
    let folder = try TemporaryDirectory()
    for (name, text) in Self.files { try folder.write(text, to: name) }
    let graph = try #require(Preparation.drawing(manifest: folder.path("settled.yaml")).graph)
    #expect(
      graph.edges.map { "\($0.from) > \($0.to)" } == [
        "setting http.host > derived listen", "setting http.port > derived listen",
        "derived listen > derived url", "derived url > target site",
        "setting http.names > target site", "setting http > target other",
        "setting http.port > target http", "setting hosts > target host",
      ])
    #expect(DependencyGraph(wire: .map(graph.wire)) == graph)
  }
}
