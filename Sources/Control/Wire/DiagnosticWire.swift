public import SettledValues

extension Diagnostic {
  /// The finding as every reply holds it.
  public var wire: ValueMap {
    var wire: ValueMap = ["severity": .string(severity.rawValue), "message": .string(message)]
    if let place { wire["place"] = .map(place.wire) }
    if let excerpt {
      wire["excerpt"] = ["line": .string(excerpt.line), "length": .int(Int64(excerpt.length))]
    }
    if let hint { wire["hint"] = .string(hint) }
    wire["notes"] = .list(
      notes.map { ["place": .map($0.place.wire), "message": .string($0.message)] })
    return wire
  }

  /// Reads a finding.
  public init(wire: Value) throws(WireFault) {
    let fields = try Fields(wire, "diagnostics")
    self.init(
      try fields.word("severity"), try fields.text("message"),
      hint: try fields.optionalText("hint"),
      notes: try fields.list("notes") { value throws(WireFault) in
        let note = try Fields(value, "notes")
        return Note(try note.text("message"), at: try Place(wire: note.value("place")))
      })
    if let value = fields.optional("place") { place = try Place(wire: value) }
    if let value = fields.optional("excerpt") {
      let fields = try Fields(value, "excerpt")
      excerpt = Excerpt(
        line: try fields.text("line"), length: Int(clamping: try fields.integer("length")))
    }
  }
}

extension Place {
  init(wire: Value) throws(WireFault) {
    let fields = try Fields(wire, "place")
    self.init(
      file: try fields.text("file"),
      line: Int(clamping: try fields.optionalInteger("line") ?? 0),
      column: Int(clamping: try fields.optionalInteger("column") ?? 0))
  }
}
