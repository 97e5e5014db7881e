import Glibc
public import SettledInputs

extension SystemError {
  /// What a person can do about it, where that is known.
  public var hint: String? { Self.hints[code] }

  private static let hints: [CInt: String] = [
    EACCES: "run as a user that may, or change the permissions of the file and its directories",
    EBUSY: "the file is a mount point; set 'write: in_place' to write into it",
    EDQUOT: "the disk quota is used up; free some space or raise the quota",
    EISDIR: "a directory stands there; move it away or name a file",
    ENOENT: "create it, correct the path, or set 'make_directories: true'",
    ENOSPC: "the file system is full; free some space",
    EROFS: "the file system is read-only; under systemd, see ProtectSystem= of the unit",
    EXDEV: "the file and its directory are on different file systems; set 'write: in_place'",
  ]
}
