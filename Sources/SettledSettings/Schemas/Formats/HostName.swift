/// A host name of RFC 1123, section 2.1, with the labels of RFC 5890 behind `xn--`.
enum HostName {
  static func takes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.count <= 253 else { return false }
    return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { isLabel(Array($0)) }
  }

  private static func isLabel(_ label: [UInt8]) -> Bool {
    guard (1...63).contains(label.count), label[0] != UInt8(ascii: "-"),
      label.last != UInt8(ascii: "-"),
      label.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    else { return false }
    let hyphens = [UInt8](repeating: UInt8(ascii: "-"), count: 2)
    guard label.count >= 4, Array(label[2..<4]) == hyphens else { return true }
    let isEncoded = label[0] | 0x20 == UInt8(ascii: "x") && label[1] | 0x20 == UInt8(ascii: "n")
    guard isEncoded, let decoded = Punycode.decode(label[4...].map { $0.lowercased }) else {
      return false
    }
    return InternationalLabel.isValid(decoded)
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}

/// The encoding of RFC 3492.
enum Punycode {
  /// The text behind `xn--`; nil where it is not encoded so.
  static func decode(_ text: [UInt8]) -> [Unicode.Scalar]? {
    let hyphen = text.lastIndex(of: UInt8(ascii: "-"))
    var output = text[..<(hyphen ?? 0)].map { UInt32($0) }
    var rest = text[(hyphen.map { $0 + 1 } ?? 0)...]
    var (code, index, bias): (UInt32, Int, Int) = (128, 0, 72)
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      guard let step = takeNumber(&rest, bias) else { return nil }
      let count = output.count + 1
      bias = adapted(step, count, isFirst: index == 0 && count == output.count + 1 && code == 128)
      index += step
      let (sum, overflow) = code.addingReportingOverflow(UInt32(index / count))
      guard !overflow, sum <= 0x10FFFF else { return nil }
      code = sum
      index %= count
      output.insert(code, at: index)
      index += 1
    }
    let scalars = output.compactMap { Unicode.Scalar($0) }
    return scalars.count == output.count ? scalars : nil
  }

  /// Takes a number in the variable base.
  private static func takeNumber(_ rest: inout ArraySlice<UInt8>, _ bias: Int) -> Int? {
    var (number, weight, base) = (0, 1, 36)
    while let byte = rest.popFirst() {
      let digit = byte.isASCIILetter ? Int(byte) - 97 : Int(byte) - 48 + 26
      guard (0..<36).contains(digit), number < 1 << 40, weight < 1 << 40 else { return nil }
      number += digit * weight
      let threshold = base <= bias ? 1 : base >= bias + 26 ? 26 : base - bias
      if digit < threshold { return number }
      weight *= 36 - threshold
      base += 36
    }
    return nil
  }

  private static func adapted(_ step: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? step / 700 : step / 2
    delta += delta / count
    var base = 0
    while delta > 455 { (delta, base) = (delta / 35, base + 36) }
    return base + 36 * delta / (delta + 38)
  }
}
