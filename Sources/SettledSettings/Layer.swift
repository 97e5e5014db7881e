public import SettledYAML

/// One source of settings; its rank is its position among the layers, the last one wins.
public struct Layer: Sendable {
  /// Its settings, under the maps that `at` put around them.
  public let document: YAMLDocument
  /// What it is, as messages and `explain` name it.
  public let origin: String

  /// Creates a layer.
  ///
  /// - Parameters:
  ///   - document: Its settings. Its values are secret where the document is.
  ///   - keys: The map its settings belong into, as keys from the top.
  ///   - origin: What it is; the document's file by default.
  public init(_ document: YAMLDocument, at keys: [String] = [], origin: String? = nil) {
    self.document = document.mounted(at: keys)
    self.origin = origin ?? document.file
  }

  /// Whether it has no content: not a map without entries, which says that there is nothing.
  public var isEmpty: Bool { document.root == nil }

  /// Whether its values are secret.
  public var isSecret: Bool { document.isSecret }
}
