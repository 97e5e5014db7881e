import SettledValues
import Targets

/// What an instance of a target wants now.
///
/// An instance that wants what it wanted is most often the same object, so that ten thousand of them
/// are passed on and compared at the price of as many pointers.
final class Wanted: Sendable, Equatable {
  /// The name of the instance: `site`, `vhost[shop]`.
  let name: String
  /// The position of its rule in the manifest.
  let rule: Int
  /// The key of its entry, nil for a target without `each`.
  let key: Value?
  /// The file, nil where it follows a value.
  let file: DesiredFile?
  /// The value it follows, nil where it has a file.
  let followed: Computed<Value>?

  init(
    name: String, rule: Int, key: Value? = nil, file: DesiredFile? = nil,
    followed: Computed<Value>? = nil
  ) {
    self.name = name
    self.rule = rule
    self.key = key
    self.file = file
    self.followed = followed
  }

  /// Whether what it wants holds a secret.
  var isSecret: Bool { file?.isSecret == true || followed?.isSecret == true }

  static func == (one: Wanted, other: Wanted) -> Bool {
    one === other
      || (one.rule == other.rule && one.hasSamePlace(as: other) && one.key == other.key
        && one.file == other.file && one.followed == other.followed)
  }

  /// Whether it is the instance that `other` is, with its file at the same path.
  func hasSamePlace(as other: Wanted) -> Bool {
    guard self !== other else { return true }
    guard name.hasSameBytes(as: other.name) else { return false }
    switch (file?.path, other.file?.path) {
    case (nil, nil): return true
    case (let path?, let otherPath?): return path.hasSameBytes(as: otherPath)
    default: return false
    }
  }
}

extension [Wanted] {
  /// Whether these are the instances that `others` are, in their order, with their files where those
  /// have them.
  func haveSamePlaces(as others: [Wanted]) -> Bool {
    count == others.count && zip(self, others).allSatisfy { $0.hasSamePlace(as: $1) }
  }
}

extension String {
  /// The name of the target that an instance of this name is of: `vhost` for `vhost[shop]`.
  var nameOfTarget: String { String(prefix { $0 != "[" }) }
}
