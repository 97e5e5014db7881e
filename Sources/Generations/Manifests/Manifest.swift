public import Expressions
public import SettledValues
public import SettledYAML
import Targets
public import Templates

/// What the manifest says: what to read, what follows from it, what to keep in step.
public struct Manifest: Sendable {
  /// The file it was read from.
  public var path: String
  /// The layers, lowest rank first.
  public var layers: [LayerRule] = []
  /// The schema of the settings, nil for none.
  public var schema: SchemaRule?
  /// The derived values, in the order written.
  public var derived: [DerivedRule] = []
  /// The targets, in the order written.
  public var targets: [TargetRule] = []
  /// What it says of the daemon itself.
  public var daemon = DaemonRule()
}

/// Where one layer or several come from.
public struct LayerRule: Sendable {
  /// The kinds of layers.
  public enum Source: Sendable {
    /// A file; `isOptional` where it may be missing.
    case file(Interpolation, isOptional: Bool)
    /// The drop-ins of a directory.
    case glob(String)
    /// A secret, and the keys of the setting that it is.
    case secret(SecretSource, at: [String])
    /// The variables of the environment that start with a prefix.
    case environment(String)
  }

  /// What it is read from.
  public var source: Source
  /// Where the manifest says so.
  public var node: YAMLNode
}

/// Where a secret lies.
public enum SecretSource: Sendable {
  /// A credential that systemd hands over (systemd.exec(5), `LoadCredential=`).
  case credential(String)
  /// A file.
  case file(Interpolation)
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

/// Something outside that is kept in step with what it reads.
public struct TargetRule: Sendable {
  /// Its name.
  public var name: String
  /// Where the name is written.
  public var place: Place
  /// Where the target is written.
  public var node: YAMLNode
  /// The file it wants, nil where it only follows a value.
  public var file: FileRule?
  /// The value whose changes it acts on, nil where it has a file.
  public var follows: ExpressionRule?
  /// The map or list of which each entry makes an instance, nil for a single one.
  public var each: ExpressionRule?
  /// The name that an instance's entry has in expressions.
  public var alias = "each"
  /// Whether it is wanted, nil for always.
  public var when: ExpressionRule?
  /// What is done when it changed.
  public var actions: [ActionRule] = []
  /// How long each of its commands and actions may take.
  public var timeout: Duration = .seconds(30)
  /// Whether its failure refuses the generation.
  public var isRequired = true
  /// How often it is tried again when its action fails; nil for the default: ``defaultRetries``, and
  /// without end where it is not required.
  public var retries: Int?
  /// What is done when its file is changed by hand.
  public var drift = DriftRule.report

  /// How often a required target is tried again that names no number.
  public static let defaultRetries = 5
}

/// What is done when a file that settled wrote is changed by hand.
public enum DriftRule: String, Sendable, Hashable, CaseIterable {
  /// It is told, and overwritten with the next change of the target.
  case report
  /// It is put back at once.
  case repair
}

/// An expression in the manifest.
public struct ExpressionRule: Sendable {
  /// The expression.
  public var expression: Expression
  /// Where it is written.
  public var node: YAMLNode
}

/// The file that a target wants.
public struct FileRule: Sendable {
  /// What its content is made from.
  public enum Content: Sendable {
    /// A template file.
    case template(TemplateRule, YAMLNode)
    /// A template in the manifest.
    case inline(Template, YAMLNode)
    /// A value, written in a format.
    case value(Expression, Format, YAMLNode)
  }

  /// The destination.
  public var path: Interpolation
  /// Where the destination is written.
  public var node: YAMLNode
  /// The content.
  public var content: Content
  /// The permission bits, where they are set.
  public var mode: UInt32?
  /// Whether directories that are missing on the way to it are made.
  public var makesDirectories = false
  /// The owner as written, and where.
  public var owner: (text: String, node: YAMLNode)?
  /// How new content gets there.
  public var write = WriteRule.replace
  /// The command that checks the staged file.
  public var check: CommandRule?
  /// The command that verifies the file in its place.
  public var verify: CommandRule?
}

/// A template file that a target names.
public struct TemplateRule: Sendable, Hashable {
  /// Its path, relative to the manifest.
  public var path: String
  /// How white space around tags is treated, in the files it includes too.
  public var options: TemplateOptions
}

/// How new content gets into its place.
public enum WriteRule: String, Sendable, Hashable, CaseIterable {
  /// A new file takes the place of the old one, in one step.
  case replace
  /// It is written into the file that stands there, which keeps its inode.
  case inPlace = "in_place"
}

/// A command in the manifest.
public struct CommandRule: Sendable {
  /// The program and its arguments.
  public var arguments: [Interpolation]
  /// Where it is written.
  public var node: YAMLNode

  /// The name that the new file has in a check.
  static let staged = "staged"
  /// The name that the file in its place has in a command.
  static let file = "file"
}

/// An action in the manifest.
public enum ActionRule: Sendable {
  /// Reload a unit.
  case reload(String)
  /// Restart a unit.
  case restart(String)
  /// Send a signal to a unit.
  case signal(unit: String, number: Int32)
  /// Run a command.
  case run(CommandRule)
}
