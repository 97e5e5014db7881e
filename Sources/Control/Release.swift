/// The release of which daemon and tool are.
public enum Release {
  /// Its version; that of the package's changelog.
  public static let version = "0.1.0"
  /// The day of it.
  public static let date = "2026-11-30"
}
