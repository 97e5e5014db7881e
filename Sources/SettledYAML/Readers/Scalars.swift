public import SettledValues

extension YAMLNode {
  /// The text of a string as written; plain scalars that look like numbers or dates as well.
  ///
  /// - Throws: where it is a map, a list, null, empty, tagged as another type, or holds NUL.
  public func string() throws(Refusal) -> String {
    guard kind == .scalar, !isNull else { throw mismatch("a string") }
    if record.flags.contains(.isTagged), record.scalarClass != .string {
      throw mismatch("a string", hint: "its tag says that it is none")
    }
    let text = self.text
    guard !text.utf8.contains(0) else { throw Refusal([fault("the text holds a NUL")]) }
    return text
  }

  /// An integer: decimal, `0x1F` or `0o17`.
  ///
  /// - Throws: what is wrong with the text, and what to write.
  public func int() throws(Refusal) -> Int64 {
    guard let value = integer else { throw mismatch("an integer") }
    return value
  }

  /// A finite number.
  ///
  /// - Throws: what is wrong with the text, and what to write.
  public func double() throws(Refusal) -> Double {
    if let value = integer { return Double(value) }
    guard kind == .scalar, let value = number, value.isFinite else {
      throw mismatch("a finite number")
    }
    return value
  }

  /// A truth value: `true` or `false`, also `True` and `TRUE`.
  ///
  /// - Throws: what is wrong with the text, and what to write.
  public func bool() throws(Refusal) -> Bool {
    if kind == .scalar {
      if record.scalarClass == .yes { return true }
      if record.scalarClass == .no { return false }
    }
    let meant = ["true", "false"].first { text.lowercased() == $0 }
    let isPlain = style == .plain
    throw mismatch(
      "true or false", hint: isPlain ? meant.map { "did you mean \($0)?" } : nil)
  }

  /// The integer a scalar of the core schema stands for.
  var integer: Int64? {
    kind == .scalar ? document.withText(of: record) { record.integer($0) } : nil
  }

  /// The number a float of the core schema stands for.
  var number: Double? { document.withText(of: record) { record.number($0) } }
}

extension NodeRecord {
  /// The integer that the record of a scalar with this text stands for.
  package func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    switch scalarClass {
    case .integer: Decimal64.read(text)
    case .octal: Decimal64.read(text.dropFirst(2), radix: 8)
    case .hexadecimal: Decimal64.read(text.dropFirst(2), radix: 16)
    default: nil
    }
  }

  /// The float that the record of a scalar with this text stands for.
  package func number(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    switch scalarClass {
    case .float, .paddedFloat: Decimal64.double(text)
    case .infinity: .infinity
    case .negativeInfinity: -.infinity
    case .notANumber: .nan
    default: nil
    }
  }
}
