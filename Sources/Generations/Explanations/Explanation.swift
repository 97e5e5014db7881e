public import SettledValues

/// Where something comes from, and what follows from it.
public struct Explanation: Sendable, Equatable {
  /// What can be explained.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A setting.
    case setting
    /// A derived value.
    case derived
    /// Something known of the machine.
    case fact
    /// A target.
    case target
  }

  /// What one layer says of a setting.
  public struct Mention: Sendable, Equatable {
    /// The layer.
    public var origin: String
    /// Where it says it.
    public var place: Place
    /// What it speaks of: the path, or one above it.
    public var path: String
    /// What it says; nil where it unsets the path.
    public var value: Value?
    /// Whether this is the value in force.
    public var isInForce: Bool
  }

  /// Something that reads what is explained.
  public struct Reader: Sendable, Hashable {
    /// What it is: a derived value or a target.
    public var kind: Kind
    /// Its name.
    public var name: String
    /// The derived values that it reads it through, the nearest to it last; none where it reads it
    /// itself.
    public var through: [String]
  }

  /// When something last changed, and what made it.
  public struct Change: Sendable, Hashable {
    /// The generation that changed it.
    public var generation: Int64
    /// When that came into force.
    public var at: Timestamp
    /// Whether it changed then; else it has not changed since then, and no more is known.
    public var isChange: Bool
    /// Why that pass was made, in a word of the history.
    public var cause: String?
    /// The inputs that had changed.
    public var inputs: [String]

    /// Creates the time of a change.
    public init(
      generation: Int64, at: Timestamp, isChange: Bool, cause: String? = nil, inputs: [String] = []
    ) {
      self.generation = generation
      self.at = at
      self.isChange = isChange
      self.cause = cause
      self.inputs = inputs
    }
  }

  /// What it is.
  public var kind: Kind
  /// Its name or path.
  public var name: String
  /// What the schema says that it is.
  public var description: String?
  /// Its value, with what stands for secrets; nil for a target, and for what is not set.
  public var value: Value?
  /// Where it is written: the value in force, the expression, or the target.
  public var place: Place?
  /// What the layers say of a setting, highest rank first.
  public var mentions: [Mention] = []
  /// The expression of a derived value.
  public var expression: String?
  /// What a derived value or target reads.
  public var reads: [String] = []
  /// What reads a setting, derived value or fact.
  public var readers: [Reader] = []
  /// The file of a target.
  public var file: String?
  /// What is done when a target changed.
  public var actions: [String] = []
  /// How a target is, where a daemon tells.
  public var state: String?
  /// Why a target is in its state, where that is not plain.
  public var reason: String?
  /// Why a target last ran, where that is known.
  public var ran: String?
  /// When it last changed, or a target last ran, where a daemon tells.
  public var changed: Change?

  init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }
}
