import Glibc
import SettledValues
import TestSupport
import Testing
import Varlink

/// A daemon whose inputs hold secrets, and all that was heard of it.
final class CanaryShop {
  let folder: TemporaryDirectory
  let canary = "zq9Canary\(UInt32.random(in: 100_000...999_999))x"
  let next = "zq9Canary\(UInt32.random(in: 100_000...999_999))y"
  /// A secret that a schema makes one of a value in a layer.
  let written = "zq9Canary\(UInt32.random(in: 100_000...999_999))z"
  private(set) var daemon: RunningProgram?
  private var heard: [(of: String, text: String)] = []

  /// What a fault is made of: an end of the manifest.
  static let faults: [String] =
    [
      "kind: db.password + 1", "number: int(db.password)", "key: '{\"a\": 1}[db.password]'",
      "missing: db[db.password]", "twice: '{db.password: 1, db.password + \"\": 2}'",
      "zone: timestamp(0).getHours(token)", "format: ('%' + token).format([1])",
      "pattern: '\"x\".matches(\"(\" + token)'", "divided: 1 / (token.size() * 0)",
      "index: '[1][token.size()]'", "time: timestamp(token)", "span: duration(token)",
      "truth: 'token ? 1 : 2'", "call: token.map(x, x)", "member: token.zq",
      "limit: token.matches('(a+)+$' + token)",
    ].map { "derived:\n  \($0)" }
    + [
      "  bad: {file: '/x/{{ token }}', content: x}",
      "  bad: {file: /x, content: '{{ {\"a\": 1}[token] }}'}",
      "  bad: {file: /x, value: '{token: {\"a\": 1}}', format: env}",
      "  bad: {each: '{token: 1}', file: /x, content: x}",
      "  bad: {when: token, file: /x, content: x}",
      "  bad: {file: /x, content: '{{ token }}', check: [sh, -c, 'cat \"$SETTLED_STAGED\"; exit 1']}",
      "  bad: {file: /x, content: '{{ token }}', verify: [sh, -c, 'cat \"$SETTLED_FILE\" >&2; exit 1']}",
      "  bad: {file: /x, content: x, verify: [sh, -c, 'cat \"${SETTLED_FILE%x}etc/template\"; exit 1']}",
      "  bad: {follows: token, run: [sh, -c, 'echo \"$0\"; exit 1', '{{ token }}']}",
      "  bad: {follows: token, run: ['{{ token }}']}",
      "  bad: {file: /x, content: '{{ token }}', run: [sh, -c, 'cat \"$SETTLED_FILE\"; exit 1']}",
      "  bad: {file: '/x', content: '{{ token', run: [x]}",
    ]

  /// What a schema asks of a secret that it does not keep.
  static let schemaFaults: [String] = [
    "type: integer", "maxLength: 2", "enum: [zq9, other]", "const: zq9", "pattern: '^[0-9]+$'",
    "format: email", "not: {type: string}", "oneOf: [{type: integer}, {format: ipv4}]",
    "if: {type: string}, then: {minLength: 99}", "deprecated: true, format: uuid",
  ]

  private static let manifest = """
    schema: shop.schema.yaml
    layers:
      - shop.yaml
      - secret: {credential: db-password}
        at: db.password
      - secret: {file: token}
        at: token
      - environment: SHOP_

    """
  private static let derived = """
    derived:
      url: '"db://" + db.user + ":" + db.password + "@" + db.host'
      coded: base64.encode(bytes(db.password))
      long: db.password.size() > 3
      both: '{"a": [db.password, token]}'

    """
  private static let targets = """
    targets:
      template: {file: /etc/template, template: template.tmpl}
      json: {file: /etc/json, value: db, format: json}
      coded: {file: /etc/coded, content: "{{ coded }} {{ url }} {{ long }}\\n"}
      open: {file: /etc/open, content: "{{ db.user }}\\n"}
      each: {each: hosts, as: host, file: "/etc/host-{{ host.key }}", content: "{{ host.value }} {{ token }}"}
      follows: {follows: url, run: ["true"]}

    """

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["credentials", "etc"] { mkdir(folder.path(name), 0o700) }
    try writeManifest(Self.derived + Self.targets)
    try writeSchema("type: string")
    try folder.write(
      "db: {user: shop, password: none, host: h}\nhosts: {a: 1, b: 2}\nwritten: \(written)\n",
      to: "etc/shop.yaml")
    try folder.write("user {{ db.user }}\npass {{ db.password }}\n", to: "etc/template.tmpl")
    try writeSecrets(canary)
  }

  /// Writes a schema that makes `written` secret, and asks something of all secrets.
  func writeSchema(_ rule: String) throws {
    try folder.write(
      """
      properties:
        written: {writeOnly: true, \(rule)}
        token: {\(rule)}
        db: {properties: {password: {\(rule)}}}
      """, to: "etc/shop.schema.yaml")
  }

  private func writeManifest(_ rest: String) throws {
    try folder.write(Self.manifest + rest, to: "etc/settled.yaml")
  }

  private func writeSecrets(_ text: String) throws {
    try folder.write(text + "\n", to: "credentials/db-password")
    try folder.write(text, to: "etc/token")
    chmod(folder.path("etc/token"), 0o600)
  }

  func changeSecrets() throws { try writeSecrets(next) }

  func removeSecrets() {
    unlink(folder.path("credentials/db-password"))
    unlink(folder.path("etc/token"))
  }

  /// Puts a fault into the manifest: a derived value more, or a target more.
  func breakManifest(with fault: String) throws {
    if fault.hasPrefix("derived") {
      try writeManifest(fault + "\n" + Self.targets)
    } else {
      try writeManifest(Self.derived + Self.targets + fault + "\n")
    }
  }

  /// Starts the daemon, and waits until its first generation is in force.
  func start() throws {
    try launch()
    try daemon?.wait { daemon?.errors.contains("generation 1 is in force") == true }
  }

  func launch(through program: [String] = []) throws {
    daemon = try RunningProgram(
      program + [
        builtProgram("settled"), "--manifest", folder.path("etc/settled.yaml"), "--socket",
        folder.path("socket"), "--state-directory", folder.path("state"), "--root",
        folder.path("root"), "--log-level", "debug",
      ], environment: environment)
  }

  func stop() throws {
    hear()
    daemon = nil
  }

  private var environment: [String: String] {
    ["CREDENTIALS_DIRECTORY": folder.path("credentials"), "SHOP_DB__HOST": "db.internal"]
  }

  /// Asks the tool, and keeps what it says.
  @discardableResult
  func ask(_ arguments: [String]) throws -> ProgramOutcome {
    let outcome = try run(
      ["timeout", "5", builtProgram("settlectl"), "--socket", folder.path("socket")] + arguments,
      environment: environment)
    heard.append((arguments.joined(separator: " "), outcome.output + outcome.errors))
    return outcome
  }

  /// Asks what may tell of a fault.
  func askForFaults() throws {
    for form in [[], ["--json"]] {
      for arguments in [["status"], ["check", "MANIFEST"], ["plan", "MANIFEST"], ["reload"]] {
        try ask(arguments.map(path) + form)
      }
    }
    try ask(["show"])
  }

  /// Asks all verbs that the tool has, in all forms.
  func askEverything() throws {
    for verb in try verbs() where verb != "help" && verb != "completion" && verb != "watch" {
      for arguments in Self.arguments[verb, default: [[], ["db.password"], ["json"]]] {
        for form in [[], ["--json"], ["-o", "yaml"]] {
          try ask([verb] + arguments.map(path) + form)
        }
      }
    }
  }

  /// Calls every method of the daemon's interface, and keeps the replies as they are.
  func callEverything() throws {
    let client = try Client(folder.path("socket"), timeout: .seconds(20))
    let described = try client.call(
      "org.varlink.service.GetInterfaceDescription", ["interface": "io.settled"])
    let description = described["description"]?.text ?? ""
    let methods = description.matches(of: /\nmethod ([A-Za-z]+)/).map { String($0.1) }
    #expect(methods.count > 10)
    for method in methods {
      for parameters in Self.parameters[method, default: [[:]]] {
        let reply: String
        do {
          reply = try JSON.text(.map(client.call("io.settled." + method, parameters)))
        } catch {
          reply = "\(error)"
        }
        heard.append((method, reply))
      }
    }
  }

  /// What there is that is secret, or reads it, and what is neither.
  private static let paths = [
    "db", "db.password", "token", "settings", "written", "url", "both", "coded", "json", "template",
  ]
  private static let parameters: [String: [ValueMap]] = [
    "Get": paths.map { ["path": .string($0)] },
    "Evaluate": (paths + ["db.password + 'x'", "int(token)", "{'a': 1}[written]", "[token, url]"])
      .map { ["expression": .string($0)] },
    "Explain": paths.flatMap { path -> [ValueMap] in
      [["name": .string(path)], ["name": .string(path), "kind": "target"]]
    },
    "Watch": [[:], ["paths": .list(paths.map { .string($0) })]],
    "Apply": [[:], ["target": "template"], ["target": "follows"]],
  ]

  /// Follows what the daemon tells while `body` happens, where the tool has a verb for it.
  func watching(_ body: () throws -> Void) throws {
    guard try verbs().contains("watch") else { return try body() }
    let watchers = try [
      ["db.password", "db", "url"], ["--json", "token", "both"], [], ["--json"],
    ]
    .map { arguments in
      try RunningProgram(
        [builtProgram("settlectl"), "--socket", folder.path("socket"), "watch"] + arguments)
    }
    // Those that follow values are told them first, the others what happens from then on.
    for watcher in watchers.prefix(2) { try watcher.wait { !watcher.output.isEmpty } }
    try body()
    for watcher in watchers.suffix(2) { try watcher.wait { !watcher.output.isEmpty } }
    for watcher in watchers { heard.append(("watch", watcher.output + watcher.errors)) }
  }

  private static let arguments: [String: [[String]]] = [
    "get": [
      ["db"], ["db.password"], ["token"], ["settings"], ["written"], ["url"], ["both"], ["coded"],
      ["token.x"],
    ],
    "eval": [
      "db", "settings", "written", "int(written)", "{'a': 1}[written]", "db.password + 'x'",
      "token == 'x'", "token[0]", "int(token)", "both.a[1]",
      "{'a': 1}[token]", "db[token]", "[token, url, coded]", "json(db)", "token.size()",
    ].flatMap { [[$0], ["--trace", $0], ["-m", "MANIFEST", $0]] },
    "check": [["MANIFEST"]], "plan": [["MANIFEST", "--root", "ROOT"], ["MANIFEST"]],
    "reload": [], "wait": [["--timeout", "1s"]],
  ]

  private func path(_ argument: String) -> String {
    switch argument {
    case "MANIFEST": folder.path("etc/settled.yaml")
    case "ROOT": folder.path("root")
    default: argument
    }
  }

  /// The verbs in the tool's own help, two beside each other with two blanks at least between.
  private func verbs() throws -> [String] {
    let help = try run([builtProgram("settlectl"), "help"]).output
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.drop { $0 != "Verbs:" }.dropFirst().prefix { !$0.isEmpty }
    return table.flatMap { line -> [String] in
      let cells = line.split(separator: "  ").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
      return stride(from: 0, to: cells.count, by: 2).map { String(cells[$0]) }
    }
  }

  private func hear() {
    guard let daemon else { return }
    heard.append(("the daemon", daemon.output + daemon.errors))
  }

  /// What must be nowhere: both secrets, and what the expressions make of them.
  var coded: String { Self.base64(canary) }

  private var forms: [String] {
    [canary, next, written].flatMap {
      [$0, Self.base64($0), String($0.dropFirst(2)), String($0.dropLast(2))]
    }
  }

  /// Looks through all that was heard, all that is stored, and what `/proc` shows of the daemon.
  func expectNothingTold() throws {
    hear()
    #expect(heard.count > 1)
    for (source, text) in heard {
      for form in forms { #expect(!text.contains(form), "\(source): \(text)") }
    }
    for file in files(below: "state") + files(below: "etc") where !file.hasSuffix("etc/token") {
      let bytes = try #require(readFile(file))
      let text = String(decoding: bytes, as: UTF8.self)
      // A layer is kept as it is written; only a schema knows that a part of it is secret.
      let isLayer = file.hasSuffix("/shop.yaml") || file.hasSuffix("/last-good")
      for form in forms where !isLayer || !written.contains(form) {
        #expect(!text.contains(form), "\(file): \(text)")
      }
    }
    guard let process = daemon?.process else { return }
    for name in ["cmdline", "environ"] {
      let text = String(decoding: readFile("/proc/\(process)/\(name)") ?? [], as: UTF8.self)
      for form in forms { #expect(!text.contains(form), "\(name)") }
    }
  }

  private func files(below name: String) -> [String] {
    names(in: folder.path(name)).map { folder.path(name) + "/" + $0 }
  }

  func text(of target: String) -> String? { folder.read("root/etc/" + target) }

  func mode(of name: String) -> mode_t? {
    var status = stat()
    return stat(folder.path(name), &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var coded = ""
    var (bits, count) = (0, 0)
    for byte in text.utf8 {
      (bits, count) = (bits << 8 | Int(byte), count + 8)
      while count >= 6 {
        count -= 6
        coded.append(alphabet[bits >> count & 63])
      }
    }
    if count > 0 { coded.append(alphabet[bits << (6 - count) & 63]) }
    return coded
  }
}
