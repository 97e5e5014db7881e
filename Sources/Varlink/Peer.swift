/// Who is at the other end of a local socket, as the kernel saw it when the connection was made.
public struct Peer: Sendable, Hashable {
  /// The process.
  public var process: Int32
  /// The user.
  public var user: UInt32
  /// The primary group.
  public var group: UInt32
  /// The supplementary groups.
  public var groups: [UInt32]

  /// Creates a peer.
  public init(process: Int32 = 0, user: UInt32, group: UInt32, groups: [UInt32] = []) {
    self.process = process
    self.user = user
    self.group = group
    self.groups = groups
  }

  /// Tells whether the peer is in a group, be it its primary or a supplementary one.
  public func isMember(of group: UInt32) -> Bool {
    self.group == group || groups.contains(group)
  }
}
