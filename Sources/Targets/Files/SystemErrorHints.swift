import Glibc
public import SettledInputs

extension SystemError {
  /// What a person can do about it, where that is known.
  public var hint: String? {
    if verb == Self.stateVerb { return "restart settled, which makes it" }
    return Self.hints[code]
  }

  /// What is done where the state directory is gone.
  static let stateVerb = "find the state directory"

  private static let hints: [CInt: String] = [
    EACCES: "run as a user that may, or change the permissions of the file and its directories",
    EBADMSG: "it is damaged: see whether all targets are as they should be, and remove it",
    EBUSY: "the file is a mount point; set 'write: in_place' to write into it",
    EDQUOT: "the disk quota is used up; free some space or raise the quota",
    EFBIG: "move it away, or remove it: no copy is kept of what others wrote above 16 MiB",
    EISDIR: "a directory stands there; move it away or name a file",
    ENOENT: "create it, correct the path, or set 'make_directories: true'",
    ENOTDIR: "a file stands where a directory is needed; move it away, or correct the path",
    ENOSPC: "the file system is full; free some space",
    EROFS:
      "it is read-only; under systemd, see ProtectSystem= and ReadWritePaths= of the unit",
    ESTALE: "somebody else wrote there at the same moment; 'settlectl reload' tries again",
    EXDEV: "the file and its directory are on different file systems; set 'write: in_place'",
  ]
}
