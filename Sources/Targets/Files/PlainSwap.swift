import Glibc
import SettledInputs

/// Puts files into place where the file system cannot exchange two names, or give a file a second
/// one (NFS, FUSE, FAT).
///
/// The old file goes aside under a name of its own (``FileStep/former``). The journal says so before
/// the first of it, and which files are new.
enum PlainSwap {
  /// Whether the last call failed since the file system, or the kernel, does not have it.
  ///
  /// A link(2) fails with `EPERM` where there are no hard links, and also for a file of another owner
  /// (`fs.protected_hardlinks`); a renameat2(2) with `EINVAL` where it has no flags.
  static func isMissing(_ change: FileStep.Change) -> Bool {
    let codes =
      change == .create ? [EPERM, EMLINK, EOPNOTSUPP, ENOSYS] : [EINVAL, EOPNOTSUPP, ENOSYS]
    return codes.contains(errno)
  }

  /// Puts a new file in the place of what stands there, or where nothing does.
  ///
  /// - Throws: the failure; `ESTALE` where something else stands there than was planned for.
  static func put(_ step: FileStep) throws(SystemError) {
    if step.standing == nil {
      guard renameToFree(step.staged, step.destination) else {
        throw SystemError("replace", step.destination)
      }
    } else {
      try setAside(step)
      guard rename(step.staged, step.destination) == 0 else {
        throw SystemError("replace", step.destination)
      }
    }
  }

  /// Undoes it: the answer tells whether all is as it was.
  static func putBack(_ entry: Journal.Entry) throws(SystemError) {
    let current = FileIdentity.look(at: entry.destination)
    if let former = FileIdentity.look(at: entry.former) {
      guard current == nil || former.renamed == entry.old || former.inode == current?.inode else {
        return
      }
      // Of two names of one file, a rename leaves both (rename(2)).
      guard rename(entry.former, entry.destination) == 0,
        unlink(entry.former) == 0 || errno == ENOENT
      else { throw SystemError("put back", entry.destination) }
    } else if let new = entry.new, entry.old == nil, current?.renamed == new {
      guard unlink(entry.destination) == 0 else { throw SystemError("remove", entry.destination) }
    }
  }

  /// Renames to a name that is free; where the file system cannot promise it, it is looked at first.
  static func renameToFree(_ old: String, _ new: String) -> Bool {
    if SystemCalls.renameToFree(old, new) == 0 { return true }
    guard isMissing(.replace) else { return false }
    guard FileIdentity.look(at: new) == nil else {
      errno = EEXIST
      return false
    }
    return rename(old, new) == 0
  }

  private static func setAside(_ step: FileStep) throws(SystemError) {
    let isLinked = link(step.destination, step.former) == 0
    guard isLinked || (isMissing(.create) && rename(step.destination, step.former) == 0) else {
      throw SystemError("replace", step.destination)
    }
    let old = FileIdentity.look(at: step.former)
    guard old?.renamed == step.standing?.identity.renamed else {
      if isLinked { unlink(step.former) } else { rename(step.former, step.destination) }
      throw SystemError("replace", step.destination, code: ESTALE)
    }
  }
}
