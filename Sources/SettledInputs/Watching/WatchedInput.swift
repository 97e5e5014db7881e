package import SettledValues

/// Something that settings are read from.
public enum WatchedInput: Sendable {
  /// A file, which may be missing.
  case file(String)
  /// The drop-ins in a directory, which may be missing as well.
  case glob(Glob)

  /// Creates what is watched for an input of a generation.
  public init(_ rule: InputRule) {
    switch rule {
    case .file(let path), .optional(let path): self = .file(path)
    case .glob(let glob): self = .glob(glob)
    }
  }

  /// What tells it from others, by bytes.
  package var key: Value {
    switch self {
    case .file(let path): .string(path)
    case .glob(let glob): .list([.string(glob.directory), .string(glob.pattern)])
    }
  }
}

/// How far changes are told.
public enum WatchHealth: Sendable, Hashable {
  /// The kernel tells all of them.
  case ok
  /// Some are found only by looking again and again; the reason says what to do about it.
  case polling(reason: String)
}
