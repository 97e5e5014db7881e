import SettledObserving
import SettledValues
import Targets

/// The keys of a target.
@ObservingActor
extension ManifestSection {
  static let target = ManifestSection("a target", wishKeys + fileKeys + actionKeys + passKeys)

  private static let wishKeys = [
    ManifestKey(
      "file", .text("PATH"), "the file that is wanted; it may read settings: /etc/{{ name }}.conf"),
    ManifestKey(
      "follows", .expression, "instead of 'file': the value whose changes the actions follow"),
    ManifestKey(
      "each", .expression, "a map or list: one instance of the target for every entry"),
    ManifestKey(
      "as", .text("NAME"), standard: "each",
      "what an entry is called in expressions: NAME.key, NAME.value"),
    ManifestKey("when", .expression, "whether it is wanted; a file that is not is removed"),
  ]

  private static let fileKeys = [
    ManifestKey("template", .text("FILE"), "the template that makes the file"),
    ManifestKey("content", .scalar("TEXT", mayBeEmpty: true), "the template itself"),
    ManifestKey(
      "trim_blocks", .flag, standard: false,
      "whether the line break after a tag of the template is dropped, as in Jinja2"),
    ManifestKey(
      "lstrip_blocks", .flag, standard: false,
      "whether the blanks before a tag that begins a line are dropped, as in Jinja2"),
    ManifestKey("value", .expression, "the value that the file holds, in a 'format'"),
    ManifestKey("format", .words(Format.self), "how a 'value' is written"),
    ManifestKey(
      "mode", .mode, "its rights; else those of what stands there, or 0644, or 0600 with a secret"),
    ManifestKey(
      "owner", .text("USER:GROUP"), "its owner; else that of what stands there, or the daemon's"),
    ManifestKey(
      "make_directories", .flag, standard: false,
      "whether directories that are missing on the way are made"),
    ManifestKey(
      "check", .command, "checks the new file, {{ staged }}, before it is put in place"),
    ManifestKey(
      "verify", .command, "checks the file in its place, {{ file }}, before any action"),
    ManifestKey(
      "drift", .words(DriftRule.self), standard: "report",
      "what is done about a file edited by hand: told, or put back"),
    ManifestKey(
      "write", .words(WriteRule.self), standard: "replace",
      "how new content gets there: in one step, or into the file that stands there"),
  ]

  private static let actionKeys = [
    ManifestKey(
      "run", .command,
      "a command that is run when the target changed, told its {{ file }}, in the directory of the "
        + "manifest; the same one runs once, however many targets ask for it"),
    ManifestKey(
      "reload", .text("UNIT"),
      "a unit that is reloaded, or restarted if it cannot, or started if it has failed"),
    ManifestKey("restart", .text("UNIT"), "a unit that is restarted if it runs, or has failed"),
    ManifestKey("signal", .map(signal), "a unit whose main process gets a signal"),
  ]

  private static let passKeys = [
    ManifestKey(
      "timeout", .duration, standard: "30s", "how long each command and action may take"),
    ManifestKey(
      "required", .flag, standard: true, "whether its failure refuses the generation"),
    ManifestKey(
      "retry", .integer(from: 0, to: 1000),
      "how often it is tried again when its action fails: else 5, or without end where it is not "
        + "required; 0 never tries again"),
  ]
}
