extension Interface {
  /// What is wrong with the description by the rules of Varlink's definition language, and by the
  /// narrower ones of the parsers that are in use; empty for a good one.
  ///
  /// systemd's parser takes no type that is wrapped twice but `?[]T` and `?[string]T`, PyPI's only
  /// letters in the first label of the interface's name.
  public var faults: [String] {
    var faults: [String] = []
    if !Self.isInterfaceName(name) { faults.append("'\(name)' is no name of an interface") }
    let members = types.map(\.name) + methods.map(\.name) + errors.map(\.name)
    for (position, member) in members.enumerated() {
      if !Self.isMemberName(member) { faults.append("'\(member)' is no name of a member") }
      if members[..<position].contains(member) { faults.append("'\(member)' is there twice") }
    }
    for type in types { check(type.type, of: type.name, into: &faults) }
    for method in methods {
      check(.structure(method.input), of: method.name, into: &faults)
      check(.structure(method.output), of: method.name, into: &faults)
    }
    for error in errors { check(.structure(error.fields), of: error.name, into: &faults) }
    return faults
  }

  private func check(_ type: FieldType, of owner: String, into faults: inout [String]) {
    switch type {
    case .bool, .int, .float, .string, .object: break
    case .named(let name):
      if !types.contains(where: { $0.name == name }) {
        faults.append("'\(owner)' refers to '\(name)', which is not there")
      }
    case .enumeration(let names):
      check(names, of: owner, into: &faults)
      if names.isEmpty { faults.append("'\(owner)' has an empty enumeration") }
    case .structure(let fields):
      check(fields.map(\.name), of: owner, into: &faults)
      for field in fields { check(field.type, of: "\(owner).\(field.name)", into: &faults) }
    case .optional(.array(let inner)), .optional(.dictionary(let inner)), .optional(let inner),
      .array(let inner), .dictionary(let inner):
      if inner.isWrapper { faults.append("'\(owner)' has a type that is wrapped twice") }
      check(inner, of: owner, into: &faults)
    }
  }

  private func check(_ names: [String], of owner: String, into faults: inout [String]) {
    for (position, name) in names.enumerated() {
      if !Self.isFieldName(name) { faults.append("'\(owner).\(name)' is no name of a field") }
      if names[..<position].contains(name) { faults.append("'\(owner).\(name)' is there twice") }
    }
  }

  /// Letters in the first label, then letters, digits and inner hyphens, two labels at least.
  private static func isInterfaceName(_ name: String) -> Bool {
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let first = labels.first, first.utf8.allSatisfy(isLetter) else {
      return false
    }
    return labels.allSatisfy { label in
      label.first != "-" && label.last != "-" && !label.isEmpty
        && label.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  private static func isMemberName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), first & 0x20 == 0 else { return false }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) }
  }

  /// A letter, then letters, digits and single underscores between them.
  private static func isFieldName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    return words.allSatisfy { word in
      !word.isEmpty && word.utf8.allSatisfy { isLetter($0) || isDigit($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension FieldType {
  fileprivate var isWrapper: Bool {
    switch self {
    case .optional, .array, .dictionary: true
    default: false
    }
  }
}
