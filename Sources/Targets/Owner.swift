public import Glibc

/// The user and the group a file is to belong to, as the manifest has them.
///
/// Names are looked up where the file is put into place: a machine that only checks settings needs
/// none of them.
public struct Owner: Sendable, Hashable {
  /// What was written: `user`, `user:group` or `:group`, each a name or a number.
  public let text: String

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

  /// The numbers of an owner.
  public struct Numbers: Sendable, Hashable {
    /// The user, or nil to leave it.
    public var user: uid_t?
    /// The group, or nil to leave it.
    public var group: gid_t?

    /// Creates what leaves both.
    public init() {}
  }

  /// Reads an owner, and looks nothing up.
  public init(_ text: String) throws(Fault) {
    let parts = Self.parts(text)
    guard (1...2).contains(parts.count), parts.contains(where: { !$0.isEmpty }) else {
      throw .malformed
    }
    self.text = text
  }

  /// Looks the names up.
  public func numbers() throws(Fault) -> Numbers {
    let parts = Self.parts(text)
    var numbers = Numbers()
    if !parts[0].isEmpty { numbers.user = try Self.user(parts[0]) }
    if parts.count == 2, !parts[1].isEmpty { numbers.group = try Self.group(parts[1]) }
    return numbers
  }

  private static func parts(_ text: String) -> [String] {
    text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
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
