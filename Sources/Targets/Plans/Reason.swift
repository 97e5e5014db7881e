public import SettledValues

/// Why a step is done.
public enum Reason: Sendable, Hashable {
  /// A setting that the target reads changed; its place where it is still set.
  case setting(Path, at: Place?)
  /// The template of the target changed, or one that it includes.
  case template(String)
  /// The manifest says other things of the target, by these keys.
  case manifest(keys: [String], at: Place)
  /// The manifest has the target anew, or an entry of its `each` has.
  case new
  /// Nothing stands where its file goes.
  case missing
  /// What stands there is not what is wanted; what changed is not known.
  case differs
  /// The value that it follows is not the one it last acted upon; what changed is not known.
  case followed
  /// What settled wrote is no longer what stands there.
  case drifted(Drift)
  /// Its action failed before.
  case failedBefore
  /// Somebody asked for it.
  case asked
  /// The target is wanted no more.
  case unwanted

  /// How many reasons of one kind are told of a step.
  public static let limit = 5
}

extension Reason: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch self {
    case .setting(let path, let place?): "\(path) changed, \(place.lineOnly)"
    case .setting(let path, nil): "\(path) is no longer set"
    case .template(let name): "its template \(name) changed"
    case .manifest(let keys, let place):
      "its \(keys.map { "'\($0)'" }.joined(separator: ", ")) changed, \(place.lineOnly)"
    case .new: "the target is new"
    case .missing: "the file is not there"
    case .differs: "the file is not what is wanted"
    case .followed: "the value it follows is not the one it last acted upon"
    case .drifted(let drift): "the file was \(drift)"
    case .failedBefore: "its action failed before"
    case .asked: "somebody asked for it"
    case .unwanted: "it is wanted no more"
    }
  }
}

extension [Reason] {
  /// The reasons in one clause, such as `because http.port changed, shop.yaml:3`; empty for none.
  public var text: String {
    guard !isEmpty else { return "" }
    let shown = prefix(Reason.limit).map(\.description).joined(separator: "; ")
    return "because " + shown + (count > Reason.limit ? "; and more" : "")
  }
}

/// What became of something that settled wrote.
public enum Drift: Sendable, Hashable, CustomStringConvertible {
  /// It is gone.
  case removed
  /// It has another content.
  case edited
  /// It has other rights, told as what they are and what they are to be.
  case rights(String)
  /// Something else stands in its way, told as why it cannot be looked at.
  case hindered(String)

  /// What happened, as a clause that starts with a participle.
  public var description: String {
    switch self {
    case .removed: "removed by hand"
    case .edited: "edited by hand"
    case .rights(let text): "given other rights by hand (to be put back: \(text))"
    case .hindered(let reason): "put out of reach by hand (\(reason))"
    }
  }
}

extension Place {
  /// The place without its column.
  fileprivate var lineOnly: Place { Place(file: file, line: line) }
}
