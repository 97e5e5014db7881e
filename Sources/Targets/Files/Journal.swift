import SettledInputs

/// What a transaction is about to do, kept on disk so that a crash can be undone or completed.
struct Journal: Sendable, Hashable {
  /// How far the transaction got.
  enum Phase: String, Sendable {
    /// Files are staged and swapped; after a crash everything is put back.
    case swapping
    /// All files are in place; after a crash what is left over is cleared away.
    case committed
  }

  /// One file of the transaction.
  struct Entry: Sendable, Hashable {
    /// Where the file goes.
    var destination: String
    /// The file beside it: the new one before the swap, the old one after it.
    var staged: String
    /// The file that stood at the destination (``FileIdentity/renamed``), nil where none did.
    var old: String?
  }

  var phase: Phase
  var entries: [Entry]
  /// The directories that it makes, those above before those in them.
  var directories: [String] = []
}

extension Journal {
  /// Waits until the names of all files, and of all directories made, are on the disk.
  func synchronizeDirectories() throws(SystemError) {
    for directory in Set((entries.map(\.staged) + directories).map(FilePaths.directory))
    where FileIdentity.following(directory) != nil {
      try Directories.synchronize(directory)
    }
  }
}
