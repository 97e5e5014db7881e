import Glibc
import SettledInputs
import Targets

/// The directory in which the daemon keeps what it knows.
enum StateDirectory {
  /// Somebody else can put files into the directory.
  struct Exposed: Error, CustomStringConvertible {
    /// What is wrong.
    var description: String
    /// What to do.
    var hint =
      "who can write there can have any file replaced or removed: make it the daemon's own, with "
      + "chown(1) and 'chmod 0700'"
  }

  /// Makes the directory where it is missing, for the daemon's user alone.
  ///
  /// - Throws: ``Exposed`` where another user can put files into it: a journal, or a link in the
  ///   place of one of its files, would have the daemon change what that user may not.
  static func make(_ path: String) throws {
    try Directories.make(path, mode: 0o700)
    var (link, directory) = (stat(), stat())
    guard lstat(path, &link) == 0, stat(path, &directory) == 0 else {
      throw SystemError("examine", path)
    }
    let owners = [link.st_uid, directory.st_uid].filter { $0 != 0 && $0 != geteuid() }
    if let other = owners.first {
      throw Exposed(description: "the state directory '\(path)' belongs to user \(other)")
    }
    guard directory.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw Exposed(description: "other users can write into the state directory '\(path)'")
    }
  }
}
