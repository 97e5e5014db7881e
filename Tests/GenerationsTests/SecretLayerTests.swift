import Generations
import Glibc
import SettledInputs
import SettledObserving
import SettledSettings
import SettledValues
import Targets
import TestSupport
import Testing

/// Secrets and variables as layers.
@Suite struct SecretLayerTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Directories.make(directory.path("credentials"), mode: 0o700)
    try directory.write(
      """
      layers:
        - shop.yaml
        - secret: {credential: db-password}
          at: db.password
        - secret: {file: token}
          at: settings["my-app"].token
        - environment: SHOP_
      derived:
        url: '"db://" + db.user + ":" + db.password'
      """, to: "settled.yaml")
    try directory.write("db: {user: shop, password: none}\nhttp: {port: 80}\n", to: "shop.yaml")
    try directory.write("hunter2\n", to: "credentials/db-password")
    try directory.write("0x10\n\n", to: "token")
  }

  private func generator(
    _ variables: [String: String] = [:], lastGood: StoredInputs? = nil
  ) -> Generator {
    var list = [(name: "CREDENTIALS_DIRECTORY", value: Array(directory.path("credentials").utf8))]
    list += variables.map { ($0.key, Array($0.value.utf8)) }
    let (manifest, environment) = (directory.path("settled.yaml"), ProcessEnvironment(list))
    return ObservingActor.sync {
      Generator(manifest: manifest, lastGood: lastGood, environment: environment)
    }
  }

  private func candidate(of generator: Generator) throws -> Candidate {
    switch ObservingActor.sync({ generator.prepare() }) {
    case .candidate(let candidate): return candidate
    case .refused(let refusal, _): throw refusal
    }
  }

  @Test func `a secret is a string at its path, without one line break at its end`() throws {
    let candidate = try candidate(of: generator())
    #expect(
      candidate.generation.settings.value() == [
        "db": ["user": "shop", "password": "hunter2"], "http": ["port": 80],
        "my-app": ["token": "0x10\n"],
      ])
    #expect(
      candidate.generation.shownSettings == [
        "db": ["user": "shop", "password": "(secret)"], "http": ["port": 80],
        "my-app": ["token": "(secret)"],
      ])
    #expect(candidate.generation.derivedValues == ["url": "(secret)"])
    #expect(try candidate.generation.value(at: "db") == ["user": "shop", "password": "(secret)"])
    #expect(try candidate.generation.value(at: "db.password") == "(secret)")
    #expect(try candidate.generation.value(at: "db.user") == "shop")
  }

  @Test func `variables are plain scalars, nested by two underscores, and win`() throws {
    let candidate = try candidate(
      of: generator(["SHOP_HTTP__PORT": "8081", "SHOP_MAX_AGE": "null", "SHOP_A__B_C": "1.10"]))
    let settings = candidate.generation.settings
    #expect(settings.value(at: Path([.key("http")])) == ["port": 8081])
    #expect(settings.value(at: Path([.key("a")])) == ["b_c": 1.1])
    #expect(settings.value(at: Path([.key("max_age")])) == nil)
    let origin = settings.origin(at: Path([.key("http"), .key("port")]))
    #expect(origin?.winner.origin == "environment:SHOP_HTTP__PORT")
    #expect(origin?.winner.place.description == "environment:SHOP_HTTP__PORT")
    #expect(origin?.overridden.first?.place.description == "shop.yaml:2:14")
  }

  @Test func `a secret that moves is a new generation`() throws {
    let generator = generator()
    _ = try candidate(of: generator)
    _ = ObservingActor.sync { generator.accept() }
    #expect(try !candidate(of: generator).isNew)
    try directory.write("hunter3", to: "credentials/db-password")
    let second = try candidate(of: generator)
    #expect(second.isNew)
    #expect(
      second.generation.settings.value(at: Path([.key("db"), .key("password")])) == "hunter3")
    let watched = second.inputs.rules
    #expect(watched.contains(.file(directory.path("credentials/db-password"))))
    #expect(watched.contains(.file(directory.path("token"))))
  }

  @Test func `what is stored of a secret is where it lies, and it is read from there`() throws {
    let first = try candidate(of: generator(["SHOP_HTTP__PORT": "8081"]))
    let store = LastGood(stateDirectory: directory.path)
    let inputs = StoredInputs(number: 7, first.inputs)
    let file = try #require(store.files(holding: inputs, after: nil).first)
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(!text.contains("hunter2"))
    #expect(!text.contains("0x10"))
    #expect(text.contains(#""secret":true"#))
    try AtomicFile.write(file.bytes, to: file.path)
    let stored = try #require(store.load())
    // Broken inputs, a new password, and other variables: the last good has the old variables.
    try directory.write("layers: [", to: "settled.yaml")
    try directory.write("hunter3\n", to: "credentials/db-password")
    let generator = generator(["SHOP_HTTP__PORT": "9"], lastGood: stored)
    let settings = ObservingActor.sync { () -> Value? in
      guard case .refused = generator.prepare(),
        case .candidate(let candidate)? = generator.prepareLastGood()
      else { return nil }
      return candidate.generation.settings.value()
    }
    #expect(
      settings == [
        "db": ["user": "shop", "password": "hunter3"], "http": ["port": 8081],
        "my-app": ["token": "0x10\n"],
      ])
  }

  @Test func `the same inputs with a secret among them are the same generation`() throws {
    let first = try candidate(of: generator(["SHOP_A": "1", "SHOP_B": "2"]))
    let stored = StoredInputs(number: 7, first.inputs)
    let again = try candidate(of: generator(["SHOP_B": "2", "SHOP_A": "1"], lastGood: stored))
    #expect((again.number, again.isNew) == (7, false))
    let other = try candidate(of: generator(["SHOP_A": "1"], lastGood: stored))
    #expect((other.number, other.isNew) == (8, true))
  }

  @Test func `what a schema makes secret is told where every user can read its file`() throws {
    try directory.write(
      "schema: s.yaml\nlayers: [shop.yaml]\n", to: "settled.yaml")
    try directory.write(
      "properties: {db: {properties: {password: {writeOnly: true}}}}\n", to: "s.yaml")
    #expect(chmod(directory.path("shop.yaml"), 0o644) == 0)
    #expect(chmod(directory.path, 0o755) == 0)
    let open = try candidate(of: generator())
    #expect(
      open.warnings.map(\.description) == [
        """
        shop.yaml:1:28: warning: every user can read 'db.password', which the schema makes secret
          hint: chmod o= \(directory.path("shop.yaml"))
        """
      ])
    #expect(try open.generation.value(at: "db") == ["user": "shop", "password": "(secret)"])
    #expect(chmod(directory.path("shop.yaml"), 0o640) == 0)
    #expect(try candidate(of: generator()).warnings.isEmpty)
  }

  @Test func `a secret must be text`() throws {
    for bytes: [UInt8] in [[0x61, 0, 0x62], [0xFF, 0xFE]] {
      try writeFile(bytes, to: directory.path("token"))
      let refusal = try #require(throws: Refusal.self) { try candidate(of: generator()) }
      #expect(
        refusal.text == """
          settled.yaml:5:20: error: the secret 'token' is no text in UTF-8
              - secret: {file: token}
                               ^~~~~
            hint: encode it, for example as base64
          """)
    }
  }

  @Test func `a secret that every user can read is told`() throws {
    #expect(chmod(directory.path("token"), 0o644) == 0)
    #expect(chmod(directory.path, 0o755) == 0)
    let warnings = try candidate(of: generator()).warnings.map(\.description)
    #expect(
      warnings == [
        """
        settled.yaml:5:20: warning: every user can read the secret 'token'
            - secret: {file: token}
                             ^~~~~
          hint: chmod o= \(directory.path("token"))
        """
      ])
    // What lies in a directory of one user only is no one else's to read.
    #expect(chmod(directory.path, 0o700) == 0)
    #expect(try candidate(of: generator()).warnings.isEmpty)
  }
}
