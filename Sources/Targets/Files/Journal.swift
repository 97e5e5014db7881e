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
    /// The new file (``FileIdentity/renamed``), where no second name tells that it is ours.
    var new: String?
    /// The file as it stood there, where it is written into.
    var origin: InPlaceFile.Origin?

    /// The path of the old file, or of a copy of it, where it does not stand at ``staged``.
    var former: String { Self.former(of: staged) }

    static func former(of staged: String) -> String { staged + ".old" }
  }

  var phase: Phase
  var entries: [Entry]
  /// The directories that it makes, those above before those in them.
  var directories: [String] = []
  /// The targets whose actions it does: where all is put back they may have been done for nothing.
  var acting: [String] = []
  /// Whether old files went aside under a name of their own: ``PlainSwap``.
  var isPlain = false
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
