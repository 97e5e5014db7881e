/// What can be wrong with memos and observers themselves, with paths of names, outermost first.
public enum ObservingError: Error, Hashable {
  /// A memo needs its own value: each name reads the next, the last is the first again.
  case cycle([String])
  /// Observers kept changing what they observe: each name's handler made the next one run.
  case feedback([String])
  /// An evaluation changed something that is observed: the last name, read by those before it.
  case changeWhileDeriving([String])
  /// The evaluation of `name` was refused, as `limit` evaluations were waiting for it.
  case tooDeep(name: String, limit: Int)
}

extension ObservingError: CustomStringConvertible {
  /// The error as one line with its path.
  public var description: String {
    switch self {
    case .cycle(let path): "cycle: \(Self.joined(path))"
    case .feedback(let path): "observers keep changing what they observe: \(Self.joined(path))"
    case .changeWhileDeriving(let path):
      "something observed was changed while deriving: \(Self.joined(path))"
    case .tooDeep(let name, let limit):
      "'\(name)' is nested too deep: \(limit) evaluations wait for it"
    }
  }

  /// The path, shortened in the middle where it is long.
  private static func joined(_ path: [String]) -> String {
    let shown = 16
    guard path.count > shown else { return path.joined(separator: " -> ") }
    let omitted = "(\(path.count - shown) more)"
    return (path.prefix(shown / 2) + [omitted] + path.suffix(shown / 2)).joined(separator: " -> ")
  }
}
