/// A schema as the table holds it: what it asks of a value, by numbers into other tables.
struct SchemaNode: BitwiseCopyable {
  struct Flags: OptionSet, BitwiseCopyable {
    var rawValue: UInt16

    /// Takes nothing: `false`.
    static let isNever = Flags(rawValue: 1)
    /// `deprecated: true`.
    static let isDeprecated = Flags(rawValue: 2)
    /// `writeOnly: true`.
    static let isSecret = Flags(rawValue: 4)
    /// Something in or below it has a default.
    static let holdsDefaults = Flags(rawValue: 8)
    /// Something in or below it is secret.
    static let holdsSecrets = Flags(rawValue: 16)
    /// Something in or below it is deprecated.
    static let holdsDeprecated = Flags(rawValue: 32)
    /// A plain scalar that looks like something else can be asked to be a string.
    static let asksForText = Flags(rawValue: 64)
    /// It asks nothing at all: `true`, `{}`.
    static let isAlways = Flags(rawValue: 128)
    /// What is in a value can be met by other schemas as well, or may not be met.
    static let overlaps = Flags(rawValue: 256)
    /// Something in or below it overlaps.
    static let holdsOverlaps = Flags(rawValue: 512)
    /// It asks of strings what their text alone decides.
    static let asksTextOnly = Flags(rawValue: 1024)
  }

  /// The types it takes itself.
  var types = JSONTypes.any
  /// The types it takes with all that it refers to.
  var asked = JSONTypes.any
  var flags: Flags = []
  var number = none
  var text = none
  var list = none
  var map = none
  var inPlace = none
  var constants = none
  /// The entry of its default in the schema's document.
  var defaultEntry = UInt32.max
  /// Where it is written: its entry in the schema's document.
  var entry: UInt32

  static let none: Int32 = -1
}

/// A part of a table.
struct TableRange: BitwiseCopyable {
  var start: Int32 = 0
  var count: Int32 = 0

  var indices: Range<Int> { Int(start)..<Int(start + count) }
}

/// What is asked of numbers.
struct NumberRules: BitwiseCopyable {
  var minimum: JSONNumber?
  var maximum: JSONNumber?
  var exclusiveMinimum: JSONNumber?
  var exclusiveMaximum: JSONNumber?
  var multipleOf: DecimalNumber?
}

/// What is asked of strings; lengths are in code points.
struct TextRules: BitwiseCopyable {
  var minLength = 0
  var maxLength = Int.max
  var pattern = SchemaNode.none
  var format: TextFormat?
}

/// What is asked of lists.
struct ListRules: BitwiseCopyable {
  var prefix = TableRange()
  var items = SchemaNode.none
  var contains = SchemaNode.none
  var minContains = 1
  var maxContains = Int.max
  var minItems = 0
  var maxItems = Int.max
  var isUnique = false
  var unevaluated = SchemaNode.none
}

/// What is asked of maps.
struct MapRules: BitwiseCopyable {
  var properties = TableRange()
  /// The index over `properties` in `slots`; its count is a power of two.
  var slots: Int32 = 0
  var mask: UInt32 = 0
  var requiredCount = 0
  var patterns = TableRange()
  var additional = SchemaNode.none
  var names = SchemaNode.none
  var minProperties = 0
  var maxProperties = Int.max
  var unevaluated = SchemaNode.none
  /// Whether a property asks for others.
  var hasDependents = false
}

/// A property by its name: its schema, and what its presence means.
struct PropertyRule: BitwiseCopyable {
  var keyStart: Int32
  var keyCount: Int32
  var hash: UInt32
  /// The schema of its value; none for one that is only required.
  var schema = SchemaNode.none
  var isRequired = false
  /// The properties that must be there if it is, in `references` as numbers of properties.
  var dependents = TableRange()
  /// The schema that the map must follow if it is there.
  var dependentSchema = SchemaNode.none
}

/// A schema for the properties whose names match a pattern.
struct PatternRule: BitwiseCopyable {
  var pattern: Int32
  var schema: Int32
}

/// Schemas that apply to the same value.
struct InPlaceRules: BitwiseCopyable {
  var reference = SchemaNode.none
  var all = TableRange()
  var any = TableRange()
  var one = TableRange()
  var not = SchemaNode.none
  var condition = SchemaNode.none
  var then = SchemaNode.none
  var otherwise = SchemaNode.none
}

/// The values that `enum` or `const` take.
struct ConstantRules: BitwiseCopyable {
  /// Numbers of values in `references`.
  var choices = TableRange()
  var constant = SchemaNode.none
  /// The index over many choices in `slots`.
  var slots: Int32 = 0
  var mask: UInt32 = 0
}
