public import Expressions
public import SettledValues
public import SettledYAML
public import Templates

/// What the manifest says: what to read, what follows from it, what to keep in step.
public struct Manifest: Sendable {
  /// The file it was read from.
  public var path: String
  /// The layers, lowest rank first.
  public var layers: [LayerRule] = []
  /// The derived values, in the order written.
  public var derived: [DerivedRule] = []
  /// The targets, in the order written.
  public var targets: [TargetRule] = []
}

/// Where one layer or several come from.
public struct LayerRule: Sendable {
  /// The kinds of layers.
  public enum Source: Sendable {
    /// A file; `isOptional` where it may be missing.
    case file(Interpolation, isOptional: Bool)
    /// The drop-ins of a directory.
    case glob(String)
  }

  /// What it is read from.
  public var source: Source
  /// Where the manifest says so.
  public var node: YAMLNode
}

/// A value computed from settings and other derived values.
public struct DerivedRule: Sendable {
  /// Its name.
  public var name: String
  /// Where the name is written.
  public var place: Place
  /// The expression.
  public var expression: Expression
  /// Where the expression is written.
  public var node: YAMLNode
}

/// A file that is kept in step with what it reads.
public struct TargetRule: Sendable {
  /// What its content is made from.
  public enum Content: Sendable {
    /// A template file, by its path relative to the manifest.
    case template(String, YAMLNode)
    /// A template in the manifest.
    case inline(Template, YAMLNode)
    /// A value, written in a format.
    case value(Expression, Format, YAMLNode)
  }

  /// Its name.
  public var name: String
  /// Where the name is written.
  public var place: Place
  /// The destination.
  public var file: Interpolation
  /// Where the destination is written.
  public var fileNode: YAMLNode
  /// The content.
  public var content: Content
  /// The permission bits, where they are set.
  public var mode: UInt32?
  /// Whether directories that are missing on the way to it are made.
  public var makesDirectories = false
  /// The owner as written, and where.
  public var owner: (text: String, node: YAMLNode)?
}
