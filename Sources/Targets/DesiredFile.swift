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

/// The user and the group a file is to belong to, as numbers.
public struct Owner: Sendable, Hashable {
  /// The user, or nil to leave it.
  public var user: uid_t?
  /// The group, or nil to leave it.
  public var group: gid_t?

  /// Why an owner cannot be taken.
  public enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is not `user`, `user:group` or `:group`.
    case malformed
    /// The user database has no such name (getpwnam(3)).
    case noUser(String)
    /// The group database has no such name (getgrnam(3)).
    case noGroup(String)

    /// What is wrong, in a few words.
    public var description: String {
      switch self {
      case .malformed: "an owner is 'USER', 'USER:GROUP' or ':GROUP'"
      case .noUser(let name): "there is no user '\(name)'"
      case .noGroup(let name): "there is no group '\(name)'"
      }
    }
  }

  /// Reads `user`, `user:group` or `:group`, each a name or a number.
  public init(_ text: String) throws(Fault) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), parts.contains(where: { !$0.isEmpty }) else {
      throw .malformed
    }
    if !parts[0].isEmpty { user = try Self.user(parts[0]) }
    if parts.count == 2, !parts[1].isEmpty { group = try Self.group(parts[1]) }
  }

  private static func user(_ name: String) throws(Fault) -> uid_t {
    // The highest number means no user (chown(2)).
    if let number = uid_t(name), number != .max { return number }
    guard let entry = getpwnam(name) else { throw .noUser(name) }
    return entry.pointee.pw_uid
  }

  private static func group(_ name: String) throws(Fault) -> gid_t {
    if let number = gid_t(name), number != .max { return number }
    guard let entry = getgrnam(name) else { throw .noGroup(name) }
    return entry.pointee.gr_gid
  }
}
