/// Where one layer of settings, or several, come from.
///
/// A string literal is a file that must be there. Relative paths are relative to the directory that
/// ``SettingsFiles`` is made for.
public enum SettingsSource: Sendable, Hashable {
  /// A file that must be there.
  case file(String)
  /// A file that may be there.
  case optional(String)
  /// The files of a directory whose names match, in byte order: `shop.d/*.yaml`.
  ///
  /// What editors and packages leave beside them is not taken.
  case dropIns(String)
}

extension SettingsSource: ExpressibleByStringLiteral {
  /// Creates a file that must be there.
  public init(stringLiteral path: String) {
    self = .file(path)
  }
}
