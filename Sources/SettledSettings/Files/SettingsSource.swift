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
  /// A file that is one secret, without one line break at its end, and the setting that it is, such
  /// as `db.password`; no message shows it.
  case secret(String, at: String)
  /// A secret that systemd hands over (`LoadCredential=`), by its name, and the setting that it is.
  case credential(String, at: String)
  /// The variables whose names start so: with `SHOP_`, `SHOP_HTTP__PORT` is `http.port`.
  ///
  /// They are read once, as the process was started with them.
  case environment(String)
}

extension SettingsSource: ExpressibleByStringLiteral {
  /// Creates a file that must be there.
  public init(stringLiteral path: String) {
    self = .file(path)
  }
}
