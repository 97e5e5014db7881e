import Expressions
import SettledValues
import SettledYAML

/// Finds derived values that need themselves.
enum Cycles {
  /// A finding for every cycle, at its first derived value, with its path: `a -> b -> a`.
  static func findings(in rules: [DerivedRule]) -> [Diagnostic] {
    var search = Search(rules)
    for position in rules.indices { search.visit(position) }
    return search.findings
  }

  private struct Search {
    private enum Mark { case new, open, done }

    let rules: [DerivedRule]
    private let positions: [Value: Int]
    private var marks: [Mark]
    var findings: [Diagnostic] = []

    init(_ rules: [DerivedRule]) {
      self.rules = rules
      let names = rules.enumerated().map { (Value.string($0.element.name), $0.offset) }
      positions = Dictionary(names) { first, _ in first }
      marks = Array(repeating: .new, count: rules.count)
    }

    /// Walks what `start` reads, without recursion: a chain may be as long as the manifest.
    mutating func visit(_ start: Int) {
      guard marks[start] == .new else { return }
      marks[start] = .open
      var trail = [(position: start, rest: needs(of: start)[...])]
      while let last = trail.indices.last {
        guard let next = trail[last].rest.popFirst() else {
          marks[trail[last].position] = .done
          trail.removeLast()
          continue
        }
        switch marks[next] {
        case .done: continue
        case .open: report(trail.map(\.position), back: next)
        case .new:
          marks[next] = .open
          trail.append((next, needs(of: next)[...]))
        }
      }
    }

    private func needs(of position: Int) -> [Int] {
      rules[position].expression.roots.compactMap { positions[.string($0.name)] }
    }

    private mutating func report(_ trail: [Int], back: Int) {
      let cycle = trail.drop { $0 != back } + [back]
      let path = cycle.map { rules[$0].name }.joined(separator: " -> ")
      let rule = rules[back]
      findings.append(
        Diagnostic(
          .error, "derived values need each other: \(path)", at: rule.place,
          excerpt: rule.node.excerpt(at: rule.place, length: rule.name.count),
          hint: "compute one of them from settings alone"))
    }
  }
}
