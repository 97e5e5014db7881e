/// What a file may ask of the reader, each with its own error that names it.
public struct YAMLLimits: Sendable, Hashable {
  /// The bytes of a file (`file_size`).
  public var fileSize: Int
  /// How deep maps and lists are nested, through aliases as well (`depth`).
  public var depth: Int
  /// The bytes of a scalar, decoded (`scalar_size`).
  public var scalarSize: Int
  /// The characters of a key, decoded (`key_length`).
  ///
  /// A key before a colon on its line is bounded at 1,024 by YAML itself (section 7.4.2).
  public var keyLength: Int
  /// The nodes that aliases and merge keys may stand for in any file (`expanded_nodes`).
  public var expandedNodes: Int
  /// The further nodes aliases may stand for, for each node the file writes (`expansion_factor`).
  public var expansionFactor: Int
  /// The findings that are reported of one file (`findings`).
  public var findings: Int

  /// Creates limits; what is left out has its default.
  public init(
    fileSize: Int = 1 << 20, depth: Int = 64, scalarSize: Int = 64 << 10, keyLength: Int = 1024,
    expandedNodes: Int = 100_000, expansionFactor: Int = 10, findings: Int = 100
  ) {
    self.fileSize = fileSize
    self.depth = depth
    self.scalarSize = scalarSize
    self.keyLength = keyLength
    self.expandedNodes = expandedNodes
    self.expansionFactor = expansionFactor
    self.findings = findings
  }

  /// The largest file that offsets of 32 bits can address; `fileSize` cannot exceed it.
  static let addressable = Int(UInt32.max) / 2
}
