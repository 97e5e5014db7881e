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
    let ranges = try template.render(lookup, into: &output, readsSecret: lookup.takeRead)
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
}
