import Targets

/// A map by name that lies in parts, which are stored apart: what changed is one part, or few.
struct PartedMap<Element: Sendable & Equatable>: Sendable, Equatable {
  private var parts: [[String: Element]]

  /// Takes what a map holds.
  init(_ elements: [String: Element] = [:]) {
    parts = Array(repeating: [:], count: AppliedFiles.partCount)
    for (name, element) in elements { self[name] = element }
  }

  /// What lies below a name.
  subscript(name: String) -> Element? {
    get { parts[Self.number(of: name)][name] }
    set { parts[Self.number(of: name)][name] = newValue }
  }

  /// How many there are.
  var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// All of it, in the order of the names.
  var sorted: [(key: String, value: Element)] {
    parts.joined().map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// What lies in one part.
  func part(_ number: Int) -> [String: Element] { parts[number] }

  /// The number of the part in which a name lies; it is the same at all times.
  private static func number(of name: String) -> Int {
    Int(Checksum.sum(Array(name.utf8)) % UInt64(AppliedFiles.partCount))
  }
}

extension PartedMap: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, Element)...) {
    self.init(Dictionary(elements) { first, _ in first })
  }
}
