import Glibc
public import SettledInputs

/// Brings files back to one state after a crash in the middle of an apply.
public enum Recovery {
  /// What was found.
  public enum Finding: Sendable, Hashable {
    /// The last apply had ended.
    case nothing
    /// An apply was cut short; this many files were put back as they were before it.
    case undone(files: Int)
    /// An apply had succeeded; what it left over was cleared away.
    case completed
  }

  /// Reads the journal in the state directory and undoes or completes what it tells of.
  ///
  /// - Parameters:
  ///   - stateDirectory: where the journal is.
  ///   - keepPending: takes in, before the journal is gone, which targets have actions that may have
  ///     been done for what is undone, and are to be done again.
  /// - Returns: what it told of.
  /// - Throws: what could not be put back; the journal stays, so that it can be tried again.
  public static func run(
    stateDirectory: String, keepPending: ([String]) throws(SystemError) -> Void = { _ in }
  ) throws(SystemError) -> Finding {
    let file = JournalFile(stateDirectory: stateDirectory)
    guard let journal = try file.read() else { return .nothing }
    switch journal.phase {
    case .swapping:
      try undo(journal)
      if !journal.acting.isEmpty { try keepPending(journal.acting) }
      try file.remove()
      return .undone(files: journal.entries.count)
    case .committed:
      if complete(journal) { try file.remove() }
      return .completed
    }
  }

  /// Puts back the old file of every entry, swapped or not, and removes the new one and the
  /// directories made for it.
  ///
  /// - Throws: the first failure, after all entries were tried.
  static func undo(_ journal: Journal) throws(SystemError) {
    var failure: SystemError?
    for entry in journal.entries.reversed() {
      do { try putBack(entry, journal) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    // One that somebody else uses by now is not empty, and stays.
    for directory in journal.directories.reversed() { rmdir(directory) }
    try journal.synchronizeDirectories()
  }

  /// Removes the old files; false where one is left.
  static func complete(_ journal: Journal) -> Bool {
    let formers = journal.entries.filter { journal.isPlain || $0.origin != nil }.map(\.former)
    let old = journal.entries.map(\.staged) + formers
    return old.filter { unlink($0) != 0 && errno != ENOENT }.isEmpty
  }

  private static func putBack(
    _ entry: Journal.Entry, _ journal: Journal
  ) throws(SystemError) {
    if let origin = entry.origin {
      try InPlaceFile.putBack(origin, at: entry.destination, from: entry.former)
    } else if journal.isPlain {
      try PlainSwap.putBack(entry)
    }
    guard let staged = FileIdentity.look(at: entry.staged) else { return }
    let current = FileIdentity.look(at: entry.destination)
    if let old = entry.old, staged.renamed == old {
      let isBack =
        current == nil
        ? PlainSwap.renameToFree(entry.staged, entry.destination)
        : SystemCalls.exchange(entry.staged, entry.destination) == 0
      guard isBack else { throw SystemError("put back", entry.destination) }
    } else if entry.old == nil, staged.inode == current?.inode {
      guard unlink(entry.destination) == 0 else {
        throw SystemError("remove", entry.destination)
      }
    }
    guard unlink(entry.staged) == 0 || errno == ENOENT else {
      throw SystemError("remove", entry.staged)
    }
  }
}
