import SettledValues
import Templates
import Testing

/// A lookup that notes when a name that starts with `secret` is read.
private final class Secrets: Lookup {
  let names: ValueMap
  private var hasRead = false

  init(_ names: ValueMap) { self.names = names }

  func lookUp(_ name: String) -> Found? {
    if name.hasPrefix("secret") { hasRead = true }
    return names[name].map(Found.value)
  }

  func takeRead() -> Bool {
    defer { hasRead = false }
    return hasRead
  }
}

/// Which parts of the output depend on a secret.
@Suite struct SecrecyTests {
  @Test(arguments: [
    ("a {{ secret }} b", "a [s] b"),
    ("{{ open }}{{ secret + open }}", "o[so]"),
    ("{% set x = secret %}{{ open }}{{ x }}", "o[s]"),
    ("{% set x = secret %}{% set x = open %}{{ x }}", "o"),
    ("{% if secret == 's' %}yes {{ open }}{% endif %}.", "[yes o]."),
    ("{% if open == 'p' %}a{% elif secret == 'x' %}b{% else %}c{% endif %}", "[c]"),
    ("{% set r = 1 %}{% if secret == 'x' %}{% set r = 2 %}{% endif %}{{ r }}", "[1]"),
    ("{% for x in secrets %}{{ x }},{% endfor %}{{ open }}", "[1,2,]o"),
    ("{% for x in list %}{{ x }}{% if secret == 's' %}!{% endif %}{% endfor %}", "1[!]2[!]"),
    ("{% for x in list %}{% set y = x %}{{ y }}{% set y = secret %}{% endfor %}", "12"),
    ("{{ open }}", "o"),
    ("{% if secret == 's' %}{{ secret }}{% set z = 1 %}{% endif %}{{ z }}", "[s][1]"),
  ])
  func `ranges tell what was read`(source: String, marked: String) throws {
    let lookup = Secrets([
      "secret": "s", "open": "o", "secrets": [1, 2], "list": [1, 2],
    ])
    let template = try Template(Array(source.utf8), file: "t")
    var output: [UInt8] = []
    let ranges = try template.render(lookup, into: &output, readsSecret: lookup.takeRead).ranges
    var text: [UInt8] = []
    for (position, byte) in output.enumerated() {
      if ranges.contains(where: { $0.lowerBound == position }) { text.append(UInt8(ascii: "[")) }
      text.append(byte)
      if ranges.contains(where: { $0.upperBound == position + 1 }) {
        text.append(UInt8(ascii: "]"))
      }
    }
    #expect(String(decoding: text, as: UTF8.self) == marked)
  }

  @Test(arguments: [
    ("a{{ secret }}", [1..<1], false), ("{{ secret }}b{{ secret }}", [0..<0, 1..<1], false),
    ("a{% if secret == 'x' %}b{% endif %}c", [1..<1], true),
    ("{% for x in secret.split('') %}b{% endfor %}", [0..<0], true),
  ])
  func `that nothing is there is told as well`(
    source: String, ranges: [Range<Int>], hasBlocks: Bool
  ) throws {
    let lookup = Secrets(["secret": ""])
    var output: [UInt8] = []
    let parts = try Template(Array(source.utf8), file: "t").render(
      lookup, into: &output, readsSecret: lookup.takeRead)
    #expect(parts.ranges == ranges)
    #expect(parts.hasBlocks == hasBlocks)
  }

  @Test(arguments: [
    "{{ {'a': 1}[secret] }}", "{{ {secret: 1, secret + '': 2} }}", "{{ 'x'.matches(secret) }}",
    "{{ secret.format([1]) }}", "{% if {'a': true}[secret] %}{% endif %}",
    "{% for x in {'a': [1]}[secret] %}{% endfor %}", "{% set x = {'a': 1}[secret] %}",
    "{% set x = secret %}{{ {'a': 1}[x] }}", "{{ timestamp(0).getHours(secret) }}",
    "{{ secret.charAt(77) }}",
  ])
  func `an error tells nothing of a secret`(source: String) throws {
    let lookup = Secrets(["secret": "%z(hunter2"])
    var output: [UInt8] = []
    let template = try Template(Array(source.utf8), file: "t")
    let error = try #require(throws: TemplateError.self) {
      try template.render(lookup, into: &output, readsSecret: lookup.takeRead)
    }
    #expect(!error.description.contains("hunter"))
    #expect(!error.message.contains("%z"))
    #expect(!error.message.contains("77"))
  }
}
