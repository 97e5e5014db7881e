/// Why a value cannot be written in a format, and which part of it.
public struct FormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where in the value, from the value that was to be written.
  public var path: Path
  /// What is wrong, with neither a key nor a value in it.
  public var reason: String

  /// Creates an error about the part of a value at `path`.
  public init(_ reason: String, at path: Path = Path()) {
    self.reason = reason
    self.path = path
  }

  /// The same error, seen from the map or list that holds the value under `component`.
  func below(_ component: Path.Component) -> FormatError {
    FormatError(reason, at: Path([component] + path.components))
  }

  /// The reason, and which key it is about where it is not the whole value.
  public var description: String {
    path.components.isEmpty ? reason : "'\(path)': \(reason)"
  }
}
