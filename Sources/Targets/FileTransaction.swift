import CLinux
import Glibc
public import SettledInputs

/// The files of one apply: all staged beside their destinations, all swapped, then kept or put
/// back.
///
/// The old file stays beside the new one, with all its attributes, until the end: putting it back
/// is one more swap. A journal on disk names every file before it is made, so that after a crash
/// ``Recovery`` leaves all old or all new.
public final class FileTransaction {
  /// From this many files on a file system, one syncfs(2) replaces an fsync(2) for each.
  private static let syncedTogether = 8

  private let journal: JournalFile
  private var files: [FileStep]
  private let directories: [String]
  private let acting: [String]
  private var isPlain = false

  /// Prepares a transaction over `steps`, journaled in the state directory, and followed by the
  /// actions of the targets `acting`.
  public init(_ steps: [FileStep], stateDirectory: String, acting: [String] = []) {
    journal = JournalFile(stateDirectory: stateDirectory)
    self.acting = acting
    files = steps
    var directories: [String] = []
    for step in steps where step.desired.makesDirectories {
      let missing = Directories.missing(FilePaths.directory(of: step.staged))
      directories += missing.filter { !directories.contains($0) }
    }
    self.directories = directories
  }

  /// The path of the staged file of each step, in the order of the steps; nil for a removal.
  public var stagedPaths: [String?] {
    files.map { $0.change == .remove ? nil : $0.staged }
  }

  /// Writes every new file beside its destination, with its owner and mode, and waits for the disk.
  ///
  /// - Throws: the first failure; call ``rollBack()`` then.
  public func stage() throws(SystemError) {
    guard !files.isEmpty else { return }
    try journal.write(told(.swapping))
    for file in files where file.desired.makesDirectories {
      try Directories.make(FilePaths.directory(of: file.staged), mode: 0o755)
    }
    let together = directoriesOfManyFiles()
    for file in files where file.change != .remove {
      let directory = FilePaths.directory(of: file.staged)
      do {
        try StagedFile.write(file, at: file.staged, synchronize: together[directory] == nil)
      } catch {
        throw error.naming(file)
      }
    }
    // One directory of a file system stands for all of it.
    let systems = Dictionary(together.map { ($1, $0) }) { first, _ in first }
    for directory in systems.values.sorted() {
      try StagedFile.synchronizeFileSystem(of: directory)
    }
  }

  /// The directories on file systems that get many files, each with the number of its file system.
  private func directoriesOfManyFiles() -> [String: UInt64] {
    let directories = Dictionary(grouping: files, by: { FilePaths.directory(of: $0.staged) })
      .mapValues(\.count)
    let systems = Dictionary(
      uniqueKeysWithValues: directories.keys.compactMap { directory in
        FileIdentity.following(directory).map { (directory, $0.device) }
      })
    var counts: [UInt64: Int] = [:]
    for (directory, system) in systems {
      counts[system, default: 0] += directories[directory] ?? 0
    }
    return systems.filter { counts[$0.value, default: 0] >= Self.syncedTogether }
  }

  /// Puts every staged file in the place of its destination.
  ///
  /// - Throws: the first failure, or `ESTALE` where a destination is no longer the file that was
  ///   planned for; call ``rollBack()`` then.
  public func swap() throws(SystemError) {
    for file in files where !file.isInPlace { try swap(file) }
    for file in files where file.isInPlace {
      do { try InPlaceFile.write(file) } catch { throw error.naming(file) }
    }
    try told(.swapping).synchronizeDirectories()
  }

  /// Keeps the new files and removes the old ones; after this nothing is put back.
  ///
  /// - Throws: why they cannot be kept; call ``rollBack()`` then. An old file that cannot be removed
  ///   is no failure: the next start tries again.
  public func commit() throws(SystemError) {
    guard !files.isEmpty else { return }
    let told = told(.committed)
    try journal.write(told)
    files = []
    if Recovery.complete(told) { try? journal.remove() }
  }

  /// Puts the old files back, removes what was staged, and forgets the journal.
  ///
  /// - Throws: the first failure, after everything else was put back. The journal stays then, and
  ///   the next start tries again.
  public func rollBack() throws(SystemError) {
    try putBack()
    try forget()
  }

  /// Puts the old files back and removes what was staged; the journal stays until ``forget()``, and
  /// tells of the actions that are to be done again.
  ///
  /// - Throws: the first failure, after everything else was put back.
  func putBack() throws(SystemError) {
    guard !files.isEmpty else { return }
    let told = told(.swapping)
    // A commit may have failed after its journal took the place of ours.
    if try journal.read()?.phase == .committed { try journal.write(told) }
    try Recovery.undo(told)
  }

  /// Ends the transaction after ``putBack()``.
  func forget() throws(SystemError) {
    guard !files.isEmpty else { return }
    try journal.remove()
    files = []
  }

  private func told(_ phase: Journal.Phase) -> Journal {
    let entries = files.map { file in
      var entry = Journal.Entry(
        destination: file.destination, staged: file.staged,
        old: file.standing?.identity.renamed)
      if isPlain, file.change == .create {
        entry.new = (FileIdentity.look(at: file.staged) ?? .look(at: file.destination))?.renamed
      }
      if file.isInPlace { entry.origin = file.standing?.origin }
      return entry
    }
    return Journal(
      phase: phase, entries: entries, directories: directories, acting: acting, isPlain: isPlain)
  }

  private func swap(_ file: FileStep) throws(SystemError) {
    let destination = file.destination
    let result =
      switch file.change {
      case .create: link(file.staged, destination)
      case .replace, .attributes: SystemCalls.exchange(file.staged, destination)
      case .remove: rename(destination, file.staged)
      }
    if result != 0, file.change != .remove, PlainSwap.isMissing(file.change) {
      return try swapPlainly(file)
    }
    guard result == 0 else {
      let isGone = errno == ENOENT && file.change != .create
      throw SystemError("replace", destination, code: isGone ? ESTALE : errno)
    }
    guard file.change != .create else { return }
    let old = FileIdentity.look(at: file.staged)
    guard old?.renamed == file.standing?.identity.renamed else {
      if file.change == .remove {
        rename(file.staged, destination)
      } else {
        _ = SystemCalls.exchange(file.staged, destination)
      }
      throw SystemError("replace", destination, code: ESTALE)
    }
  }

  private func swapPlainly(_ file: FileStep) throws(SystemError) {
    if !isPlain {
      isPlain = true
      try journal.write(told(.swapping))
    }
    try PlainSwap.put(file)
  }
}

extension SystemError {
  /// The failure as one of the file that a step is for: the names beside it are made by chance, and
  /// tell nobody anything.
  fileprivate func naming(_ step: FileStep) -> SystemError {
    guard path.hasPrefix(step.staged) else { return self }
    let directory = FilePaths.directory(of: step.staged)
    if step.isInPlace {
      return SystemError("write in '\(directory)' what goes into", step.destination, code: code)
    }
    let verb = verb == "create" ? "make a file beside" : verb
    return SystemError(verb, step.destination, code: code)
  }
}
