/// The description of an interface: what its methods, errors and types are.
public struct Interface: Sendable {
  /// A method.
  public struct Method: Sendable {
    /// Its name, without the interface.
    public var name: String
    /// What it does, for the description.
    public var documentation: String
    /// What it is called with.
    public var input: [Field]
    /// What it replies.
    public var output: [Field]

    /// Creates a method.
    public init(
      _ name: String, _ documentation: String = "", input: [Field] = [], output: [Field] = []
    ) {
      self.name = name
      self.documentation = documentation
      self.input = input
      self.output = output
    }
  }

  /// A type that others refer to by name.
  public struct NamedType: Sendable {
    /// Its name.
    public var name: String
    /// What it is, for the description.
    public var documentation: String
    /// The structure or enumeration it stands for.
    public var type: FieldType

    /// Creates a structure.
    public init(_ name: String, _ documentation: String = "", fields: [Field]) {
      self.name = name
      self.documentation = documentation
      self.type = .structure(fields)
    }

    /// Creates an enumeration.
    public init(_ name: String, _ documentation: String = "", oneOf names: [String]) {
      self.name = name
      self.documentation = documentation
      self.type = .enumeration(names)
    }
  }

  /// An error that methods reply.
  public struct Failure: Sendable {
    /// Its name, without the interface.
    public var name: String
    /// When it is replied, for the description.
    public var documentation: String
    /// What is said about it.
    public var fields: [Field]

    /// Creates an error.
    public init(_ name: String, _ documentation: String = "", fields: [Field] = []) {
      self.name = name
      self.documentation = documentation
      self.fields = fields
    }
  }

  /// The name, such as `org.varlink.service`.
  public var name: String
  /// What it is for, for the description.
  public var documentation: String
  /// Its types.
  public var types: [NamedType]
  /// Its methods.
  public var methods: [Method]
  /// Its errors.
  public var errors: [Failure]

  /// Creates an interface.
  public init(
    _ name: String, _ documentation: String = "", types: [NamedType] = [], methods: [Method] = [],
    errors: [Failure] = []
  ) {
    self.name = name
    self.documentation = documentation
    self.types = types
    self.methods = methods
    self.errors = errors
  }
}

/// A named part of a structure.
public struct Field: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// What it holds.
  public var type: FieldType

  /// Creates a field.
  public init(_ name: String, _ type: FieldType) {
    self.name = name
    self.type = type
  }
}

/// What a field holds.
public indirect enum FieldType: Sendable, Hashable {
  /// A truth value.
  case bool
  /// A signed 64-bit integer.
  case int
  /// A double.
  case float
  /// Text.
  case string
  /// Any JSON value.
  case object
  /// A type of the interface, by its name.
  case named(String)
  /// Fields.
  case structure([Field])
  /// One of these names.
  case enumeration([String])
  /// A value that may be null or absent.
  case optional(FieldType)
  /// A list.
  case array(FieldType)
  /// A map from text.
  case dictionary(FieldType)
}
