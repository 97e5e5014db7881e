import CLinux
import Glibc

/// Linux calls that have no wrapper in Swift's Glibc module.
enum SystemCalls {
  /// Swaps two files in one step (renameat2(2), `RENAME_EXCHANGE`).
  ///
  /// - Returns: 0, or -1 with errno set.
  static func exchange(_ left: String, _ right: String) -> CInt {
    renameat2(AT_FDCWD, left, AT_FDCWD, right, CUnsignedInt(RENAME_EXCHANGE))
  }

  /// Renames a file to a name that is free (renameat2(2), `RENAME_NOREPLACE`).
  ///
  /// - Returns: 0, or -1 with errno set.
  static func renameToFree(_ old: String, _ new: String) -> CInt {
    renameat2(AT_FDCWD, old, AT_FDCWD, new, CUnsignedInt(RENAME_NOREPLACE))
  }

  /// Tells whether a path is a mount point (statx(2)); Linux before 5.8 does not say.
  static func isMountPoint(_ path: String) -> Bool { is_mount_point(path) != 0 }

  /// Makes room for a file of `size` bytes without changing it (fallocate(2)).
  ///
  /// - Returns: 0, or -1 with errno set.
  static func reserve(_ size: Int, for descriptor: CInt) -> CInt {
    fallocate(descriptor, CInt(FALLOC_FL_KEEP_SIZE), 0, size)
  }
}
