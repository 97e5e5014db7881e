import SettledValues
import Targets

/// What an instance of a target wants now.
struct Wanted: Sendable, Equatable {
  /// The name of the instance: `site`, `vhost[shop]`.
  var name: String
  /// The position of its rule in the manifest.
  var rule: Int
  /// The key of its entry, nil for a target without `each`.
  var key: Value?
  /// The file, nil where it follows a value.
  var file: DesiredFile?
  /// The value it follows, nil where it has a file.
  var followed: Computed<Value>?

  /// Whether what it wants holds a secret.
  var isSecret: Bool { file?.isSecret == true || followed?.isSecret == true }
}
