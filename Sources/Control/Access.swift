import Glibc
public import Varlink

/// Who may see values and give orders: root, the daemon's own user and the members of a group.
public struct Access: Sendable, Hashable {
  /// The daemon's own user.
  public var user: UInt32
  /// The group whose members may, or nil where it does not exist.
  public var group: UInt32?

  /// Creates rights.
  public init(user: UInt32, group: UInt32?) {
    self.user = user
    self.group = group
  }

  /// The rights of this process's user and of the group of this name, which is looked up now.
  public static func standard(group name: String = "settled") -> Access {
    Access(user: geteuid(), group: groupNumber(name))
  }

  /// Tells whether a peer may see values and give orders.
  public func isTrusted(_ peer: Peer) -> Bool {
    peer.user == 0 || peer.user == user || group.map { peer.isMember(of: $0) } ?? false
  }

  private static func groupNumber(_ name: String) -> UInt32? {
    var group = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    // Room for groups with thousands of members; ERANGE above is as if there were no such group.
    var buffer = [CChar](repeating: 0, count: 1 << 20)
    guard getgrnam_r(name, &group, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return group.gr_gid
  }
}
