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

  /// The file that holds the inputs of a generation.
  public func file(holding inputs: StoredInputs) -> DesiredFile {
    DesiredFile(target: "settled", path: path, bytes: inputs.encoded(), mode: 0o600)
  }

  /// The stored inputs; nil where none are, or what is stored is damaged.
  public func load() -> StoredInputs? {
    guard let bytes = try? AtomicFile.read(path, limit: Self.sizeLimit) else { return nil }
    return StoredInputs(encoded: bytes)
  }
}
