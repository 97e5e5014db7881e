import SettledObserving
import SettledSettings
import SettledValues

/// The table of the manifest's keys.
@ObservingActor
extension ManifestSection {
  /// The whole manifest.
  static let manifest = ManifestSection(
    "the manifest",
    [
      ManifestKey(
        "layers", .list(of: .text("FILE", or: layer), example: ["shop.yaml", "shop.d/*.yaml"]),
        isRequired: true,
        "where settings come from, lowest rank first; later wins, key by key. A path is relative to the "
          + "manifest, and may read facts: hosts/{{ facts.hostname }}.yaml; DIRECTORY/*.yaml takes "
          + "drop-ins in byte order of their names"),
      ManifestKey(
        "schema", .text("FILE", or: schemaFile),
        "the JSON Schema 2020-12 of the settings, in YAML or JSON"),
      ManifestKey(
        "derived", .entries(of: .expression, names: "^[A-Za-z_][A-Za-z0-9_]*$"),
        "values computed by CEL expressions from settings, 'facts' and each other"),
      ManifestKey(
        "targets", .entries(of: .map(target), names: "^[a-z0-9-]+$"),
        "what is kept in step, by name"),
      ManifestKey("daemon", daemon, "the daemon's own settings, which follow a reload"),
    ])

  /// The daemon's own settings, as their model has them.
  private static let daemon = ManifestShape("'daemon'", DaemonSettings.schema)

  private static let layer = ManifestSection(
    "a layer",
    [
      ManifestKey("optional", .text("FILE"), "a file that may be missing"),
      ManifestKey("secret", .map(secret), "one secret string, at the setting that 'at' names"),
      ManifestKey("at", .text("PATH", "db.password"), "the setting that a secret is"),
      ManifestKey(
        "environment", .text("PREFIX_", "SHOP_"),
        "variables at the start: SHOP_HTTP__PORT=8081 is http.port"),
    ])

  private static let secret = ManifestSection(
    "a secret",
    [
      ManifestKey("credential", .text("NAME"), "a credential of the unit: LoadCredential="),
      ManifestKey("file", .text("PATH"), "a file, less one line break at its end"),
    ])

  private static let schemaFile = ManifestSection(
    "'schema'",
    [
      ManifestKey("file", .text("FILE"), isRequired: true, "the file"),
      ManifestKey("formats", .flag, standard: true, "whether 'format' is asserted"),
      ManifestKey(
        "steps", .integer(from: 1), standard: 20_000_000,
        "the schemas that may be applied in one pass"),
      ManifestKey(
        "depth", .integer(from: 1), standard: 512,
        "how deep schemas may be applied inside of each other"),
    ])

  static let signal = ManifestSection(
    "'signal'",
    [
      ManifestKey("unit", .text("UNIT"), isRequired: true, "the unit"),
      ManifestKey("name", .text("SIGHUP"), isRequired: true, "the signal: SIGHUP or HUP"),
    ])
}
