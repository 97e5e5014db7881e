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
}
