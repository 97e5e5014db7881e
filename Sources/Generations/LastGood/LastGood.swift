import Glibc
import SettledInputs
public import Targets

/// The last good generation, kept in the state directory: its inputs, whole.
///
/// One file names them, and holds them where they are few or small. Each large one has a file of its
/// own beside it, which no later generation writes again while the input stays the same.
public struct LastGood: Sendable {
  /// The size in bytes up to which a file is read.
  static let sizeLimit = 1 << 30

  private let path: String

  /// The store of a state directory.
  public init(stateDirectory: String) {
    path = stateDirectory + "/last-good"
  }

  private var directory: String { path + ".d" }

  private func path(of part: String) -> String { directory + "/" + part }

  /// The files that hold the inputs of a generation.
  ///
  /// - Parameters:
  ///   - inputs: the inputs.
  ///   - former: what the files hold now, so that parts that stay are left out; nil where that is not
  ///     known.
  /// - Returns: the files that differ; the one that names the others is the last.
  public func files(holding inputs: StoredInputs, after former: StoredInputs?) -> [DesiredFile] {
    let known = Set((former?.parts ?? []).map(\.name))
    let parts = inputs.parts.filter { !known.contains($0.name) }
      .map { file(path(of: $0.name), $0.bytes) }
    return parts + [file(path, inputs.encoded())]
  }

  private func file(_ path: String, _ bytes: [UInt8]) -> DesiredFile {
    DesiredFile(target: "settled", path: path, bytes: bytes, mode: 0o600, makesDirectories: true)
  }

  /// The stored inputs; nil where none are, or what is stored is damaged.
  ///
  /// What a crash left beside them is removed.
  public func load() -> StoredInputs? {
    guard let bytes = read(path),
      let inputs = StoredInputs(encoded: bytes, part: { read(path(of: $0)) })
    else { return nil }
    removeParts(besides: inputs)
    return inputs
  }

  /// Removes the parts of former generations: those of `former`, or all others where that is not known.
  public func removeParts(of former: StoredInputs? = nil, besides inputs: StoredInputs) {
    let known = Set(inputs.parts.map(\.name))
    let names = former?.parts.map(\.name) ?? (try? Directories.names(in: directory)) ?? []
    for name in names where !known.contains(name) { unlink(path(of: name)) }
    if known.isEmpty, !names.isEmpty { rmdir(directory) }
  }

  private func read(_ path: String) -> [UInt8]? {
    try? AtomicFile.read(path, limit: Self.sizeLimit)
  }
}
