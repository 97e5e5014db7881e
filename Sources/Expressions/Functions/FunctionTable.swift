/// Everything an expression can call.
enum FunctionTable {
  /// The functions in groups, as the reference page shows them.
  static let groups: [(title: String, functions: [Function])] = [
    ("Conversions and types", conversionFunctions),
    ("Lists, maps and names", macroFunctions),
    ("Text", textFunctions + stringFunctions),
    ("Numbers", mathFunctions),
    ("Time", timeFunctions),
    ("Optionals", optionalFunctions),
    ("Formats and encodings", formatFunctions),
  ]

  /// The functions by name.
  static let all: [String: Function] = Dictionary(
    groups.flatMap(\.functions).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The names, in order.
  static let names = all.keys.sorted()

  /// What stands before the dot of names like `math.ceil`.
  static let namespaces: Set<String> = Set(
    names.compactMap { name in
      name.firstIndex(of: ".").map { String(name[..<$0]) }
    })
}
