import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import Testing

private func path(_ keys: String...) -> Path { Path(keys.map { .key($0) }) }

struct SecretTests {
  let settings: Settings

  init() throws {
    settings = try merged(
      "db: {user: shop, password: old}\nusers: {ann: pw1}\nhosts: [a, b]",
      "db: {password: hunter2}\nusers: {bob: pw2}"
    ).marking(secret: [path("db", "password"), path("users"), path("nothing")])
  }

  @Test func `a marked path is secret, with all that is below it`() {
    #expect(settings.isSecret(at: path("db", "password")))
    #expect(settings.isSecret(at: path("users", "bob")))
    #expect(!settings.isSecret(at: path("db", "user")))
    #expect(!settings.isSecret(at: path("hosts")))
  }

  @Test func `what has a secret below it is secret as a whole`() {
    #expect(settings.isSecret(at: path("db")))
    #expect(settings.isSecret(at: Path()))
    #expect(!settings.hasSecretKeys(at: path("db")))
    #expect(settings.hasSecretKeys(at: path("users")))
  }

  @Test func `a path at which nothing is set can be marked`() {
    #expect(settings.isSecret(at: path("nothing")))
    #expect(settings.secretPaths.count == 3)
  }

  @Test func `secrets are masked, and maps of which the keys are secret`() {
    #expect(
      settings.shownValue() == [
        "db": ["user": "shop", "password": "(secret)"], "users": "(secret)", "hosts": ["a", "b"],
      ])
    #expect(settings.value(at: path("db", "password")) == "hunter2")
    #expect(settings.shownValue(at: path("hosts")) == ["a", "b"])
  }

  @Test func `an element of a list can be marked`() {
    let settings = settings.marking(secret: [Path([.key("hosts"), .index(1)])])
    #expect(settings.shownValue(at: path("hosts")) == ["a", "(secret)"])
    #expect(settings.shownValue(at: path("users")) == ["ann": "pw1", "bob": "pw2"])
  }

  @Test func `what an alias brings to a marked path is secret wherever it is read`() throws {
    let settings = try merged("a: &x {k: v}\nb: *x").marking(secret: [path("b")])
    #expect(settings.shownValue() == ["a": ["k": "(secret)"], "b": "(secret)"])
  }

  @Test func `the texts of secrets are those of all secret scalars`() {
    #expect(settings.secretTexts == ["hunter2", "pw1", "pw2"])
  }

  @Test func `what lower layers say of a marked path is secret as well`() {
    #expect(settings.explain(path("db", "password")).map(\.isSecret) == [true, true])
    #expect(settings.explain(path("db", "user")).map(\.isSecret) == [false])
    #expect(settings.explain(path("db")).map(\.isSecret) == [true, true])
  }

  @Test func `a finding at a marked path does not show its line`() {
    let text = settings.fault("too short", at: path("db", "password"), hint: "longer").description
    #expect(
      text == """
        1.yaml:1:16: error: too short
          hint: longer
        0.yaml:1:28: note: overrides the value here
        """)
  }

  @ObservingActor @Test func `reads of what is marked are counted`() throws {
    let lookup = SettingsStore(settings).lookup()
    guard case .container(let db)? = lookup.lookUp("db"),
      case .container(let users)? = lookup.lookUp("users")
    else { throw Missing() }
    _ = try (db.member("user"), db.member("none"), db.keys)
    #expect(lookup.secretReads == 0)
    _ = try db.member("password")
    #expect(lookup.secretReads == 1)
    _ = users.count
    #expect(lookup.secretReads == 2)
    // That there is no such key tells something of the keys.
    _ = try users.member("eve")
    #expect(lookup.secretReads == 3)
  }

  @ObservingActor
  @Test func `who reads a value sees that it becomes secret, and that it no more is`() throws {
    let open = try merged("a: 1\nb: 2")
    let store = SettingsStore(open)
    let reader = Reader(store, .leaf(path("a")))
    store.replace(with: open.marking(secret: [path("a")]))
    #expect(reader.evaluations == 2)
    store.replace(with: open.marking(secret: [path("a")]))
    #expect(reader.evaluations == 2)
    store.replace(with: open)
    #expect(reader.evaluations == 3)
  }
}
