/// Where the daemon's socket is.
public enum ControlSocket {
  /// The path for an effective user without one being named: `/run/settled/io.settled` for root,
  /// else below `XDG_RUNTIME_DIR`, which is `runtimeDirectory`, or nil where that is not set.
  public static func standardPath(user: UInt32, runtimeDirectory: String?) -> String? {
    if user == 0 { return systemPath }
    guard let runtimeDirectory, runtimeDirectory.utf8.first == UInt8(ascii: "/") else { return nil }
    return runtimeDirectory + "/settled/io.settled"
  }

  /// The path of the system's daemon.
  public static let systemPath = "/run/settled/io.settled"
}
