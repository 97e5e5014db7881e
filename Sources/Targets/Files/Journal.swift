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
}
