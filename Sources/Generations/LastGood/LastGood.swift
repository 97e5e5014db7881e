public import Targets

/// The last good generation, kept in the state directory: its inputs, whole.
public struct LastGood: Sendable {
  /// The size in bytes up to which it is read.
  static let sizeLimit = 1 << 30

  private let path: String

  /// The store of a state directory.
  public init(stateDirectory: String) {
    path = stateDirectory + "/last-good"
  }

  /// Puts the inputs of a generation on the disk, in one step.
  public func store(_ inputs: StoredInputs) throws(SystemError) {
    try AtomicFile.write(inputs.encoded(), to: path)
  }

  /// The stored inputs; nil where none are, or what is stored is damaged.
  public func load() -> StoredInputs? {
    guard let bytes = try? AtomicFile.read(path, limit: Self.sizeLimit) else { return nil }
    return StoredInputs(encoded: bytes)
  }
}
