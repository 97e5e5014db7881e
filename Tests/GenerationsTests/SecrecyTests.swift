import Generations
import Glibc
import SettledObserving
import SettledValues
import Targets
import TestSupport
import Testing

/// What reads a secret is secret.
@Suite struct SecrecyTests {
  private func shop(_ manifest: String, _ files: [String: String] = [:]) throws -> Shop {
    let layers = """
      layers:
        - shop.yaml
        - secret: {file: password}
          at: db.password

      """
    let settings = "db: {user: shop, port: 5432, password: none}\nlist: [1, 2]\n"
    return try Shop(
      ["settled.yaml": layers + manifest, "password": "hunter2\n", "shop.yaml": settings]
        .merging(files) { $1 })
  }

  @Test(
    arguments: [
      ("db.password", true), ("db.password == 'x'", true), ("db.password.size()", true),
      ("db", true), ("settings", true), ("json(db).size()", true), ("db == db", true),
      ("db.exists(k, db[k] == 1)", true), ("twice", true), ("twice.size() + 1", true),
      ("[db.password].size()", true), ("db.user", false), ("db.size()", false),
      ("has(db.password)", false), ("'password' in db", false), ("list", false),
      ("list.map(x, db.port)", false), ("open", false), ("true || db.password == 'x'", false),
    ] as [(String, Bool)])
  func `an expression that read a secret comes to a secret`(
    expression: String, isSecret: Bool
  ) throws {
    let shop = try shop(
      """
      derived:
        it: \(Self.quoted(expression))
        twice: db.password + db.password
        open: db.user + '!'
      targets:
        it: {follows: it, run: ["true"]}
      """)
    let generation = try shop.prepare().generation
    let mask = Generation.secretText
    guard case .map(let derived) = generation.derivedValues else { throw SystemFault("no map") }
    #expect((derived["it"] == mask) == isSecret)
    #expect((try generation.evaluate(expression).value == mask) == isSecret)
    #expect((try generation.evaluate("it").value == mask) == isSecret)
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  @Test func `a difference shows the lines around a secret, and nothing of what stood there`()
    throws
  {
    let shop = try shop(
      """
      targets:
        env: {file: /env, template: env.tmpl}
      """, ["env.tmpl": "# {{ db.user }}\nPASSWORD={{ db.password }}!\nPORT={{ db.port }}\n"])
    let first = try shop.prepare().plan.files[0]
    #expect(first.mode == 0o600)
    let path = first.desired.path
    #expect(
      first.text == """
        env: create \(path) (mode 0600)
          because the file is not there
        --- /dev/null
        +++ \(path)
        @@ -0,0 +1,3 @@
        +# shop
        +PASSWORD=(secret)!
        +PORT=5432

        """)
    try shop.settle()
    #expect(shop.text("/env") == "# shop\nPASSWORD=hunter2!\nPORT=5432\n")
    try shop.directory.write("hunter3", to: "password")
    try shop.directory.write("db: {user: store, port: 5432, password: none}\n", to: "shop.yaml")
    #expect(
      try shop.prepare().plan.files[0].text == """
        env: replace \(path)
          because db.user changed, shop.yaml:1; db.password changed, password
        --- \(path)
        +++ \(path)
        @@ -1,3 +1,3 @@
        -(secret)
        -(secret)
        +# store
        +PASSWORD=(secret)!
         PORT=5432

        """)
  }

  @Test(arguments: [
    "template: block.tmpl", "template: none.tmpl", "{value: db, format: yaml}",
    "template: lines.tmpl", "{value: \"db.password == 'x'\", format: text}",
    "template: last.tmpl",
  ])
  func `a difference that would tell of a secret by its shape is not shown`(content: String) throws
  {
    let content = content.first == "{" ? String(content.dropFirst().dropLast()) : content
    let shop = try shop(
      "targets:\n  it: {file: /it, \(content)}\n",
      [
        "block.tmpl": "a\n{% if db.password == 'hunter2' %}\nb\n{% endif %}\n",
        "none.tmpl": "a\n{% if db.password == 'x' %}\nb\n{% endif %}\n",
        "lines.tmpl": "{{ db.password }}\n", "last.tmpl": "a\n{{ db.password == 'x' }}",
        "password": "one\ntwo\n",
      ])
    if content == "template: block.tmpl" { try shop.directory.write("hunter2", to: "password") }
    let step = try shop.prepare().plan.files[0]
    let body = step.text.split(separator: "\n").dropFirst(2).joined(separator: "\n")
    #expect(body == "  (secret)")
    #expect(step.mode == 0o600)
  }

  @Test func `a file that every user can read is told when it gets a secret`() throws {
    let shop = try shop("targets:\n  it: {file: /it, content: '{{ db.password }}', mode: '0644'}\n")
    let warnings = try shop.prepare().warnings.map(\.description)
    #expect(warnings.count == 1)
    #expect(warnings[0].contains("/it', which holds a secret\n"))
    #expect(warnings[0].hasSuffix("\n  hint: write 'mode: \"0600\"'"))
  }

  @Test func `a secret on a command line is told, and what the command writes is not shown`() throws
  {
    let shop = try shop(
      "targets:\n  it: {follows: db.port, run: [echo, '{{ db.password }}', '{{ db.user }}']}\n")
    let candidate = try shop.prepare()
    #expect(
      candidate.warnings.map(\.message) == [
        "target 'it': a secret on a command line is seen by every user (proc(5), 'cmdline')"
      ])
    let step = candidate.plan.actions[0]
    #expect(step.action.isSecret)
    let told = candidate.diagnostics(of: .action(step, reason: "exit 1", output: "x hunter2"))
    #expect(told.count == 1)
    #expect(!told[0].description.contains("hunter2"))
    #expect(told[0].hint?.contains("not shown") == true)
  }

  @Test func `a command is not shown where it is about a secret, and quotes none elsewhere`() throws
  {
    let shop = try shop(
      """
      derived: {url: '"db://" + db.password + "/x"'}
      targets:
        it: {file: /it, content: '{{ url }}', check: [cat, '{{ staged }}']}
        other: {file: /other, content: 'x', check: [cat, '{{ staged }}']}
      """)
    let candidate = try shop.prepare()
    let texts = candidate.plan.checks.map { test in
      candidate.diagnostics(
        of: .test(test, reason: "exit 1", output: "at db://hunter2/x and hunter2."))[0].description
    }
    #expect(texts[0].contains("that is not shown"))
    #expect(texts[1].contains("it said: at (secret) and (secret)."))
    #expect(!texts.joined().contains("hunter2"))
  }

  @Test func `a quoted secret is masked by its bytes, whatever stands beside it`() throws {
    let shop = try shop(
      "targets: {it: {file: /it, content: x, check: [cat, '{{ staged }}']}}\n")
    let candidate = try shop.prepare()
    let said = candidate.diagnostics(
      of: .test(candidate.plan.checks[0], reason: "exit 1", output: "at hunter2\u{301}!"))
    #expect(said[0].description.contains("it said: at (secret)\u{301}!"))
  }

  @Test func `what was applied of a secret is kept as a digest that needs the machine`() throws {
    let shop = try shop(
      """
      targets:
        it: {follows: db.password, run: ["true"]}
        file: {file: /it, content: '{{ db.password }}'}
        open: {follows: db.port, run: ["true"]}
      """)
    var bytes: [UInt8] = []
    let applied = try shop.applied()
    try JSON.write(applied.value, into: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.matches(of: /"secret:[0-9a-f]+"/).count == 2)
    #expect(try shop.restarted(after: applied).prepare().plan.isEmpty)
    try shop.directory.write("hunter3", to: "password")
    let changed = try shop.restarted(after: applied).prepare().plan
    #expect(changed.lines == ["replace file", "run 'true'"])
    #expect(changed.actions.map(\.targets) == [["it"]])
  }
}
