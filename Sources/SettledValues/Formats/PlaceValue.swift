extension Place {
  /// The place as every reply holds it; line and column only where they are known.
  package var wire: ValueMap {
    var wire: ValueMap = ["file": .string(file)]
    if line > 0 { wire["line"] = .int(Int64(line)) }
    if column > 0 { wire["column"] = .int(Int64(column)) }
    return wire
  }
}
