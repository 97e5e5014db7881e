import Glibc
import SettledObserving

/// Prints what a pass over many targets takes beside the load alone, which is the same pass without
/// any target after the same one of its layers changed, and what putting all of their files into place
/// takes beside one fsync(2) after the other.
///
/// - Throws: why a pass was refused, or a count that is not what it must be.
func printTargetTable(targets: [Int], settings: Int) throws {
  print(
    """
    | targets | settings | load alone, CPU ms | one changed, CPU ms | x load | evaluated | steps \
    | nothing changed, CPU ms | all changed ms | one by one ms | x faster | more memory MB |
    |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
    """)
  for count in targets {
    try print(TargetRow(targets: count, settings: max(settings, count * 10)).measure())
  }
}

/// One size of the table.
private struct TargetRow {
  /// How often what takes little time is measured.
  private static let repeats = 5

  let targets: Int
  let settings: Int

  func measure() throws -> String {
    let load = try withPlace(hasTargets: false) { place in
      try place.pass(changing: nil)
      return try middle { try place.pass(changing: .one($0)).processor }
    }
    return try withPlace(hasTargets: true) { place in
      try place.pass(changing: nil)
      var passes: [TimedPass] = []
      let one = try middle { number in
        passes.append(try place.pass(changing: .one(number)))
        return passes[number].processor
      }
      guard passes.allSatisfy({ $0.evaluations == 1 && $0.steps == 1 }) else {
        throw TableFault("one changed: \(passes.map(\.evaluations)) evaluated, not 1")
      }
      let nothing = try middle { _ in try place.pass(changing: nil).processor }
      let memory = residentBytes()
      rest()
      let all = try place.pass(changing: .all)
      guard (all.evaluations, all.steps) == (targets, targets) else {
        throw TableFault("all changed: \(all.evaluations) evaluated, not \(targets)")
      }
      let more = (highestResidentBytes() - memory) / 1e6
      rest()
      let separate = try place.putOneByOne()
      let cells = [
        load, one, one / load, Double(passes[0].evaluations), Double(passes[0].steps), nothing,
        all.total, separate, separate / all.total, more,
      ]
      return "| \(targets) | \(settings) | " + cells.map(rounded).joined(separator: " | ") + " |"
    }
  }

  private func withPlace<Answer>(
    hasTargets: Bool, _ body: (TargetPlace) throws -> Answer
  ) throws -> Answer {
    let place = try TargetPlace(targets: targets, hasTargets: hasTargets, settings: settings)
    defer { place.remove() }
    return try body(place)
  }

  /// Waits: ext4 passes over inodes that were removed in the last five seconds, which would slow down
  /// what comes later.
  private func rest() {
    if targets >= 1_000 { sleep(6) }
  }

  private func middle(_ body: (Int) throws -> Double) rethrows -> Double {
    median(try (0..<Self.repeats).map(body))
  }
}

/// What one pass took, in milliseconds, and did.
struct TimedPass {
  var total: Double
  /// Of processor time, since others wait for the same disk.
  var processor: Double
  var evaluations: Int
  var steps: Int
}

/// A measurement that is not what it must be.
struct TableFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The most memory this process ever had, in bytes (getrusage(2)).
private func highestResidentBytes() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return Double(usage.ru_maxrss) * 1024
}
