import SettledObserving
import Testing

/// A generator of the same numbers for the same seed.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A random graph, once as memos over cells and once as plain functions of the leaves.
@ObservingActor
final class RandomGraph {
  struct Refused: Error, Equatable {}

  /// Reads some of the nodes before it, which of them depending on what the first of them says.
  struct Recipe {
    var first: Int
    var others: [Int]
    var modulus: Int
    var throwsAt: Int
  }

  let leaves: Cells<Int, Int>
  let leafCount: Int
  private(set) var recipes: [Recipe] = []
  private(set) var memos: [Memo<Int, any Error>] = []
  /// How often each memo was evaluated since the counts were last cleared.
  private(set) var evaluations: [Int: Int] = [:]
  /// What each memo read in its last evaluation.
  private(set) var reads: [Int: [Int: String]] = [:]

  init(dice: inout Dice) {
    leafCount = .random(in: 2...6, using: &dice)
    leaves = Cells(Dictionary(uniqueKeysWithValues: (0..<leafCount).map { ($0, $0) }))
    for index in 0..<Int.random(in: 3...24, using: &dice) {
      let below = 0..<(leafCount + index)
      recipes.append(
        Recipe(
          first: .random(in: below, using: &dice),
          others: (0..<Int.random(in: 0...4, using: &dice)).map { _ in
            .random(in: below, using: &dice)
          },
          modulus: .random(in: 2...5, using: &dice), throwsAt: .random(in: -40...10, using: &dice)))
      memos.append(
        Memo("\(index)") { [unowned self] in
          evaluations[index, default: 0] += 1
          reads[index] = [:]
          return try compute(recipes[index]) { node in
            let read = Result { try value(of: node) }
            reads[index]?[node] = text(read)
            return try read.get()
          }
        })
    }
  }

  func clearEvaluations() { evaluations = [:] }

  /// What a leaf or memo is.
  func value(of node: Int) throws -> Int {
    node < leafCount ? leaves[node] ?? -1 : try memos[node - leafCount].value
  }

  /// What memo `index` is.
  func actual(_ index: Int) -> Result<Int, any Error> {
    Result { try memos[index].value }
  }

  /// What memo `index` should be, without any memory.
  func expected(_ index: Int, values: [Int: Int]) -> Result<Int, any Error> {
    Result {
      try compute(recipes[index]) { node in
        node < leafCount
          ? values[node] ?? -1 : try expected(node - leafCount, values: values).get()
      }
    }
  }

  private func compute(_ recipe: Recipe, _ read: (Int) throws -> Int) throws -> Int {
    var sum = try read(recipe.first)
    if sum == recipe.throwsAt { throw Refused() }
    for (place, node) in recipe.others.enumerated() where (sum + place) % recipe.modulus != 0 {
      sum += try read(node) % 7
    }
    return sum / recipe.modulus
  }
}

/// An outcome as text, so that errors compare too.
func text(_ result: Result<Int, any Error>) -> String {
  switch result {
  case .success(let value): "\(value)"
  case .failure(let error): "\(error)"
  }
}

@ObservingActor
struct OracleTests {
  @Test(arguments: 0..<20)
  func `random graphs agree with plain functions`(hundred: Int) {
    for number in 0..<100 {
      var dice = Dice(state: UInt64(hundred * 100 + number))
      check(RandomGraph(dice: &dice), &dice)
    }
  }

  private func check(_ graph: RandomGraph, _ dice: inout Dice) {
    let told = Log<(index: Int, text: String)>()
    var tokens: [Int: ObservationToken] = [:]
    var last: [Int: String] = [:]
    for _ in 0..<12 {
      let index = Int.random(in: 0..<graph.memos.count, using: &dice)
      if Bool.random(using: &dice) {
        tokens[index] = observe(graph, index, told)
        last[index] = text(graph.expected(index, values: graph.leaves.all))
      } else {
        tokens[index] = nil
        last[index] = nil
      }
      let before = told.entries.count
      graph.clearEvaluations()
      transaction { change(graph, &dice) }
      let values = graph.leaves.all
      for entry in told.entries[before...] {
        #expect(entry.text == text(graph.expected(entry.index, values: values)))
        #expect(entry.text != last[entry.index])
        last[entry.index] = entry.text
      }
      for index in tokens.keys {
        #expect(last[index] == text(graph.expected(index, values: values)))
      }
      for index in graph.memos.indices {
        #expect(text(graph.actual(index)) == text(graph.expected(index, values: values)))
      }
    }
  }

  private func observe(
    _ graph: RandomGraph, _ index: Int, _ told: Log<(index: Int, text: String)>
  ) -> ObservationToken {
    SettledObserving.observe(
      { try graph.memos[index].value }, named: "\(index)", initial: false,
      onError: { told.append((index, "\($0)")) }, didChange: { told.append((index, "\($1)")) })
  }

  /// Changes some leaves, and reads some memos in between.
  private func change(_ graph: RandomGraph, _ dice: inout Dice) {
    let reads = Int.random(in: 0...3, using: &dice) == 0
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let leaf = Int.random(in: 0..<graph.leafCount, using: &dice)
      graph.leaves[leaf] = Bool.random(using: &dice) ? Int.random(in: -9...40, using: &dice) : nil
      if reads, let index = graph.memos.indices.randomElement(using: &dice) {
        let values = graph.leaves.all
        #expect(text(graph.actual(index)) == text(graph.expected(index, values: values)))
        graph.clearEvaluations()
      }
    }
    if !reads { #expect(graph.evaluations.isEmpty) }
  }

  @Test func `a memo is evaluated once in a transaction, if something it read is different`() {
    for number in 0..<200 {
      var dice = Dice(state: UInt64(10_000 + number))
      let graph = RandomGraph(dice: &dice)
      let tokens = graph.memos.indices.map { observe(graph, $0, Log()) }
      for _ in 0..<10 {
        graph.clearEvaluations()
        let reads = graph.reads
        transaction {
          // Each leaf once: one that is set and set back has changed, whatever it is in the end.
          for leaf in (0..<graph.leafCount).shuffled(using: &dice).prefix(3) {
            graph.leaves[leaf] = Int.random(in: -9...40, using: &dice)
          }
        }
        #expect(graph.evaluations.values.allSatisfy { $0 == 1 })
        for index in graph.evaluations.keys {
          let former = reads[index] ?? [:]
          #expect(
            former.contains { node, read in text(Result { try graph.value(of: node) }) != read })
        }
      }
      tokens.forEach { $0.cancel() }
    }
  }
}
