package import SettledValues
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

extension Layer {
  /// An error where a file has no content and had some: it was likely cut short.
  ///
  /// - Parameter former: the layers that were taken last.
  /// - Returns: the error, or nil.
  package func lostContent(since former: [Layer]) -> Diagnostic? {
    guard isEmpty, !isSecret else { return nil }
    let file = document.file
    let had = former.contains { !$0.isEmpty && $0.document.file.hasSameBytes(as: file) }
    return had ? Self.lostContent(file) : nil
  }

  /// The error about a file that had content and has none.
  package static func lostContent(_ file: String) -> Diagnostic {
    Diagnostic(
      .error, "the file had content, and has none any more", at: Place(file: file),
      hint: "write {} to say that it sets nothing")
  }
}
