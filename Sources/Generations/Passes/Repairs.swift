public import SettledInputs

/// When files that keep drifting are put back, so that two tools that disagree about a file do not
/// write it, and reload what reads it, for ever.
///
/// The first drift is repaired at once. Where the file drifts again before it has stayed for a wait,
/// the wait is kept between the repairs, and doubles with each further one; where it stayed for as
/// long, all starts anew.
public struct Repairs: Sendable {
  /// How long a file has to stay after its first repair.
  public static let firstWait = Duration.seconds(1)
  /// The longest wait between two repairs.
  public static let longestWait = Duration.seconds(300)

  private struct Repair {
    /// How long the file has to stay.
    var wait = Repairs.firstWait
    /// When it has stayed for as long; nil while the repair is under way.
    var due: Moment?
    /// Whether it drifted again, and is to be put back when that is due.
    var isAwaited = false
    /// Whether it drifted again at all before it had stayed.
    var isContested = false
  }

  private var last: [String: Repair] = [:]

  /// Creates what knows of no repair.
  public init() {}

  /// When the next file is to be put back, nil for none.
  public var next: Moment? { last.values.filter(\.isAwaited).compactMap(\.due).min() }

  /// How long each file that did not stay waits for its repair, by instance.
  public var waits: [String: Duration] { last.filter(\.value.isContested).mapValues(\.wait) }

  /// Whether no file was put back.
  var isEmpty: Bool { last.isEmpty }

  /// Tells whether a file that drifted is put back now; if not, it is awaited.
  mutating func begins(_ name: String, at now: Moment) -> Bool {
    guard let known = last[name], let due = known.due else {
      last[name] = Repair()
      return true
    }
    guard due <= now else {
      last[name]?.isAwaited = true
      last[name]?.isContested = true
      return false
    }
    last[name] =
      known.isAwaited
      ? Repair(wait: min(known.wait * 2, Self.longestWait), isContested: true) : Repair()
    return true
  }

  /// Takes in that the repairs that were under way were done, or failed: the waits begin.
  mutating func end(at now: Moment) {
    for (name, repair) in last where repair.due == nil { last[name]?.due = now + repair.wait }
  }

  /// Takes in that a file is, or is about to be, what is wanted, so that it awaits nothing.
  mutating func settle(_ name: String) {
    last[name]?.isAwaited = false
  }

  /// Forgets an instance: its next drift is the first one.
  mutating func forget(_ name: String) { last[name] = nil }

  /// Forgets all instances but these.
  mutating func keep(_ names: Set<String>) { last = last.filter { names.contains($0.key) } }
}
