public import Glibc

/// A file as a target wants it.
public struct DesiredFile: Sendable, Hashable {
  /// The name of the target, or of the instance, that wants it.
  public var target: String
  /// The absolute path, below the root directory that destinations are put under.
  public var path: String
  /// The content.
  public var bytes: [UInt8]
  /// The permission bits wanted; nil keeps what stands there.
  public var mode: mode_t?
  /// The owner wanted; nil keeps what stands there.
  public var owner: Owner?
  /// Whether the content read a secret.
  public var isSecret: Bool
  /// The parts of the content that depend on a secret, in order and apart from each other.
  public var secretRanges: [Range<Int>]
  /// Whether directories that are missing on the way to it are made, with mode 0755.
  public var makesDirectories: Bool
  /// The directory where the new content waits for a file that is written into, since it cannot be
  /// renamed over; nil for one that is replaced.
  public var stagingDirectory: String?

  /// Creates a file as the target `target` wants it.
  public init(
    target: String, path: String, bytes: [UInt8], mode: mode_t? = nil, owner: Owner? = nil,
    isSecret: Bool = false, secretRanges: [Range<Int>] = [], makesDirectories: Bool = false
  ) {
    self.target = target
    self.path = path
    self.bytes = bytes
    self.mode = mode
    self.owner = owner
    self.isSecret = isSecret
    self.secretRanges = secretRanges
    self.makesDirectories = makesDirectories
  }

  /// The permission bits of a file that nothing asks other bits for: 0600 for secrets, else 0644.
  var defaultMode: mode_t { isSecret ? 0o600 : 0o644 }
}
