/// Something that reads bytes from outside, with what must hold of it for any of them.
struct Reader: Sendable {
  /// Its name, which is that of its folder in Tests/Corpora too.
  var name: String
  /// Reads an input; a property that does not hold is a trap.
  var run: @Sendable ([UInt8]) -> Void
}

/// All readers of bytes that come from outside.
let readers = [
  Reader(name: "expression", run: readExpression),
  Reader(name: "json", run: readJSON),
  Reader(name: "manifest", run: readManifest),
  Reader(name: "merge", run: mergeLayers),
  Reader(name: "schema", run: validate),
  Reader(name: "template", run: readTemplate),
  Reader(name: "varlink", run: converse),
  Reader(name: "yaml", run: readYAML),
]

/// What separates the parts of an input of several: a byte that is never in UTF-8.
let separator: UInt8 = 0xFF
