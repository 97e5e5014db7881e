/// The rules of RFC 5892 for a label of an international host name, without those of direction.
enum InternationalLabel {
  static func isValid(_ label: [Unicode.Scalar]) -> Bool {
    guard let first = label.first, label.contains(where: { $0.value > 0x7F }),
      label.last != "-", first != "-", !isMark(first),
      !(label.count >= 4 && label[2] == "-" && label[3] == "-")
    else { return false }
    return label.indices.allSatisfy { isAllowed(label, $0) }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Section 2.6: the exceptions, before the rules for all others.
  private static let allowed: Set<UInt32> = [
    0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007,
  ]
  private static let refused: Set<UInt32> = [
    0x640, 0x7FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B,
  ]

  private static func isAllowed(_ label: [Unicode.Scalar], _ position: Int) -> Bool {
    let scalar = label[position]
    if allowed.contains(scalar.value) { return true }
    if refused.contains(scalar.value) { return false }
    if let verdict = contextual(label, position) { return verdict }
    if scalar.value < 0x80 {
      return scalar == "-" || UInt8(scalar.value).isASCIIDigit
        || (UInt32(97)...122).contains(scalar.value)
    }
    let properties = scalar.properties
    if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint
      || properties.isWhitespace || properties.isNoncharacterCodePoint || isOldHangul(scalar)
    {
      return false
    }
    switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark,
      .spacingMark, .decimalNumber:
      return true
    default: return false
    }
  }

  private static func isOldHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x11FF).contains(scalar.value) || (0xA960...0xA97C).contains(scalar.value)
      || (0xD7B0...0xD7FB).contains(scalar.value)
  }

  /// Appendix A: what is allowed beside certain others only; nil for all others.
  private static func contextual(_ label: [Unicode.Scalar], _ position: Int) -> Bool? {
    let before = position > 0 ? label[position - 1] : nil
    let after = position + 1 < label.count ? label[position + 1] : nil
    switch label[position].value {
    case 0x200C:
      return isVirama(before) || isJoining(before) && isJoining(after)
    case 0x200D: return isVirama(before)
    case 0xB7: return before == "l" && after == "l"
    case 0x375:
      return after.map {
        (0x370...0x3FF).contains($0.value) || (0x1F00...0x1FFF).contains($0.value)
      }
        ?? false
    case 0x5F3, 0x5F4: return before.map { (0x591...0x5F4).contains($0.value) } ?? false
    case 0x30FB: return label.contains(where: isJapanese)
    case 0x660...0x669: return !label.contains { (0x6F0...0x6F9).contains($0.value) }
    case 0x6F0...0x6F9: return !label.contains { (0x660...0x669).contains($0.value) }
    default: return nil
    }
  }

  private static func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
    scalar?.properties.canonicalCombiningClass == .virama
  }

  /// Tells whether a letter joins its neighbours, as most of the Arabic script do.
  private static func isJoining(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { (0x620...0x64A).contains($0.value) || (0x66E...0x6D3).contains($0.value) } ?? false
  }

  /// Hiragana, Katakana and Han, but the middle dot.
  private static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
    (0x3041...0x30FA).contains(scalar.value) || (0x30FC...0x30FF).contains(scalar.value)
      || [0x3005, 0x3007].contains(scalar.value) || scalar.properties.isIdeographic
  }
}
