import SettledValues
import Testing

private let sample: Value = [
  "name": "shop", "port": 8080, "share": 0.5, "debug": false, "none": nil, "tags": ["a", "b c"],
  "http": ["host": "localhost", "tls": ["cert": "/etc/x.pem", "none": nil]], "empty": [:],
  "nothing": [], "vhosts": [["name": "a", "aliases": ["x"]], ["name": "b"]],
]

private func text(_ value: Value, _ format: Format) throws -> String {
  String(decoding: try format.write(value), as: UTF8.self)
}

private func fault(_ value: Value, _ format: Format) -> String? {
  do {
    _ = try format.write(value)
    return nil
  } catch {
    return error.description
  }
}

@Suite struct `YAML` {
  @Test func `is written in blocks`() throws {
    #expect(
      try text(sample, .yaml) == """
        name: shop
        port: 8080
        share: 0.5
        debug: false
        none: null
        tags:
          - a
          - "b c"
        http:
          host: localhost
          tls:
            cert: /etc/x.pem
            none: null
        empty: {}
        nothing: []
        vhosts:
          - name: a
            aliases:
              - x
          - name: b

        """)
  }

  @Test func `nests lists in lists`() throws {
    #expect(
      try text([[1, [2]], [[:], ["a": 1, "b": [[3]]]]], .yaml)
        == "- - 1\n  - - 2\n- - {}\n  - a: 1\n    b:\n      - - 3\n")
    #expect(try text("x", .yaml) == "x\n")
    #expect(try text([:], .yaml) == "{}\n")
  }

  @Test(arguments: [
    "yes", "No", "ON", "off", "y", "N", "true", "False", "null", "Null", "~", "", " a", "a ",
    "1", "-1", "1.5", "1e3", "0x1F", "0o7", "0755", "1_000", "1:30", "2026-01-31", ".5", ".inf",
    ".NaN", "nan", "Infinity", "+1", "-", "- a", "? a", "a: b", "a:", "a #b", "#a", "&a", "*a",
    "!a",
    "|", ">", "'a'", "\"a\"", "%a", "@a", "`a", "[a]", "{a}", "a, b", "=", "<<", "---", "...",

    "a\\b", "é", "https://example.org/",
  ])
  func `quotes what could be taken for something else`(text: String) {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    #expect(Quoting.yaml(text) == "\"\(escaped)\"")
  }

  @Test(arguments: ["a", "localhost", "/usr/bin/x", "a-b.c_d", "user@host", "_1", "x1", "nobody"])
  func `leaves plain words alone`(text: String) {
    #expect(Quoting.yaml(text) == text)
  }

  @Test func `escapes what cannot be seen`() {
    #expect(
      Quoting.yaml("a\n\t\r\u{0}\u{1B}\u{7F}\u{85}\u{A0}\u{2028}\u{FEFF}\u{FFFE}😀")
        == #""a\n\t\r\x00\x1B\x7F\x85"# + "\u{A0}" + #"\u2028\uFEFF\uFFFE😀""#)
  }

  @Test(
    arguments: [
      (1e16, "1.0e+16"), (5e-7, "5.0e-07"), (1.5e300, "1.5e+300"), (1.0, "1.0"),
      (.double(.nan), ".nan"), (.double(-.infinity), "-.inf"),
      (.uint(.max), "18446744073709551615"),
      (.bytes([1, 2]), "\"AQI=\""), (.duration(.seconds(90)), "\"90s\""), (.type("int"), "int"),
      (.timestamp(Timestamp(seconds: 0)), "\"1970-01-01T00:00:00Z\""),
    ] as [(Value, String)])
  func `writes every kind`(value: Value, expected: String) throws {
    #expect(try text(value, .yaml) == expected + "\n")
  }

  @Test func `marks keys that are too long for a line`() throws {
    let key = String(repeating: "é", count: 600)
    #expect(
      try text([.string(key): ["a": 1]], .yaml) == "? \"\(key)\"\n:\n  a: 1\n")
    #expect(try text([["true": 1, "a b": 2]], .yaml) == "- \"true\": 1\n  \"a b\": 2\n")
  }
}

@Suite struct `environment files` {
  @Test func `quote what shells and systemd need quoted`() throws {
    let value: Value = [
      "PLAIN": "a-b/c.d:e@f%1", "EMPTY": "", "SPACE": " a b ", "QUOTES": "\"'`$x\\",
      "LINES": "a\n\tb",
      "NUMBER": 1.5, "FLAG": true, "UNSET": nil, "HASH": "#a", "NAME": "é",
    ]
    #expect(
      try text(value, .env) == #"""
        PLAIN=a-b/c.d:e@f%1
        EMPTY=
        SPACE=" a b "
        QUOTES="\"'\`\$x\\"
        LINES="a
        	b"
        NUMBER=1.5
        FLAG=true
        HASH="#a"
        NAME="é"

        """#)
  }

  @Test(
    arguments: [
      (["a-b": 1], "'settings[\"a-b\"]': the name of a variable has only letters, digits and '_'"),
      (["1A": 1], "'settings[\"1A\"]': the name of a variable has only letters, digits and '_'"),
      (["A": [1]], "'A': a value of type list cannot be written as a line of an environment file"),
      (["A": "\u{1B}"], "'A': an environment file cannot hold control characters"),
      (["A": "\0"], "'A': an environment file cannot hold control characters"),
      ("a", "an environment file is written from a map, not from a value of type string"),
    ] as [(Value, String)])
  func `name what they cannot hold`(value: Value, expected: String) {
    #expect(fault(value, .env) == expected)
  }
}

@Suite struct `ini files` {
  @Test func `have sections for maps`() throws {
    let value: Value = [
      "a": 1, "server": ["host": "a b", "url": "http://x/#y;z", "none": nil], "b": "", "more": [:],
    ]
    #expect(
      try text(value, .ini)
        == "a = 1\nb = \n\n[server]\nhost = a b\nurl = http://x/#y;z\n\n[more]\n")
  }

  @Test(
    arguments: [
      ("a\nb", "a line of an ini file cannot hold control characters"),
      (" a", "readers of ini files drop the spaces around a value"),
      ("a ;b", "readers of ini files differ on '#' and ';' after a space"),
      ("#a", "readers of ini files differ on '#' and ';' after a space"),
      ("\"a\"", "readers of ini files differ on a value that begins with a quote"),
      ("a\\", "readers of ini files differ on a value that ends with a backslash"),
      ([1], "a value of type list cannot be written as a line of an ini file"),
      (["a": 1], "a value of type map cannot be written as a line of an ini file"),
    ] as [(Value, String)])
  func `refuse what is read differently`(value: Value, reason: String) {
    #expect(fault(["s": ["k": value]], .ini) == "'s.k': \(reason)")
  }

  @Test(arguments: ["", " a", "a=b", "a:b", "#a", "[a]", "a\nb"])
  func `refuse names they cannot hold`(name: String) {
    #expect(
      fault([.string(name): 1], .ini)?.hasSuffix("name of an entry cannot be written") == true)
  }
}

@Suite struct `TOML` {
  @Test func `has tables and arrays of tables`() throws {
    #expect(
      try text(sample, .toml) == """
        name = "shop"
        port = 8080
        share = 0.5
        debug = false
        tags = ["a", "b c"]
        nothing = []

        [http]
        host = "localhost"

        [http.tls]
        cert = "/etc/x.pem"

        [empty]

        [[vhosts]]
        name = "a"
        aliases = ["x"]

        [[vhosts]]
        name = "b"

        """)
  }

  @Test func `writes tables in mixed lists on a line`() throws {
    let value: Value = [
      "a b": [1, ["x": ["y": "\u{1}\"\n"]], [[:]]], "": 1e16,
      "t": .timestamp(Timestamp(seconds: 0)), "i": .double(-.infinity), "d": .duration(.seconds(1)),
    ]
    #expect(
      try text(value, .toml) == #"""
        "a b" = [1, { x = { y = "\u0001\"\n" } }, [{}]]
        "" = 1e+16
        t = 1970-01-01T00:00:00Z
        i = -inf
        d = "1s"

        """#)
  }

  @Test(
    arguments: [
      (["a": ["b": [1, nil]]], "'a.b[1]': a list in TOML cannot hold null"),
      (["a": [["b": .uint(.max)]]], "'a[0].b': too large for TOML"),
      ([1], "TOML is written from a map, not from a value of type list"),
    ] as [(Value, String)])
  func `names what it cannot hold`(value: Value, expected: String) {
    #expect(fault(value, .toml) == expected)
  }
}

@Suite struct `text and words` {
  @Test func `text is written as it is`() throws {
    #expect(try text("a\nb", .text) == "a\nb")
    #expect(try text(1.5, .text) == "1.5")
    #expect(try text(["a", 1, true], .text) == "a\n1\ntrue\n")
    #expect(try text([], .text) == "")
    #expect(fault(["a", "b\n"], .text) == "'settings[1]': a line cannot hold a line break")
    #expect(fault(["a": 1], .text) == "a value of type map cannot be written as text")
    #expect(fault(nil, .text) == "a value of type null_type cannot be written as text")
  }

  @Test func `JSON files are indented and end in a line break`() throws {
    #expect(try text(["a": [1]], .json) == "{\n  \"a\": [\n    1\n  ]\n}\n")
  }

  @Test(arguments: [
    ("abc", "abc"), ("", "''"), ("a b", "'a b'"), ("a'b", #"'a'\''b'"#), ("$x`y`\\", "'$x`y`\\'"),
    ("~", "'~'"), ("a=b", "'a=b'"), ("a\nb", "'a\nb'"), ("-x", "-x"), ("*", "'*'"), ("é", "'é'"),
    ("{a,b}", "'{a,b}'"), ("!x", "'!x'"), ("#x", "'#x'"),
  ])
  func `words of a shell are quoted where needed`(text: String, word: String) throws {
    #expect(try Quoting.shell(text) == word)
  }

  @Test func `words of a shell hold no NUL`() {
    #expect(throws: FormatError.self) { try Quoting.shell("a\0b") }
  }

  @Test func `strings are quoted for JSON and TOML`() {
    #expect(Quoting.json("a\"\n") == #""a\"\n""#)
    #expect(Quoting.toml("a\"\u{7F}") == #""a\"\u007F""#)
  }
}
