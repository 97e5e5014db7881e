import Daemon
import Generations
import Options

extension Option {
  fileprivate static let manifest = Option(
    "manifest", "m", metavar: "FILE", values: .file,
    summary: "the manifest (default: /etc/settled/settled.yaml)")
  fileprivate static let socket = Option(
    "socket", metavar: "PATH", values: .file, summary: "the control socket to listen on")
  fileprivate static let stateDirectory = Option(
    "state-directory", metavar: "DIR", values: .directory,
    summary: "where generations are kept (default: $STATE_DIRECTORY, /var/lib/settled)")
  fileprivate static let root = Option(
    "root", metavar: "DIR", values: .directory, summary: "put every destination below DIR")
  fileprivate static let once = Option("once", summary: "apply one generation and end")
  fileprivate static let strict = Option(
    "strict", summary: "end where the inputs are refused, whatever is stored")
  fileprivate static let logLevel = Option(
    "log-level", metavar: "LEVEL",
    values: .oneOf(LogLevel.allCases.map(\.rawValue)),
    summary: "what is logged (default: what the manifest says, else info)")
}

/// The daemon's command line.
let program = Program(
  "settled", version: DaemonProgram.version, date: DaemonProgram.date,
  summary: "keep files and services in step with layered settings",
  details: [
    "Reads the layers of YAML that the manifest names, computes what follows from them, and puts "
      + "files into place and reloads units where that differs from what is there: all of it or none "
      + "of it. See settled.yaml(5) for the manifest.",
    "It then follows its inputs: an edit, however it is saved, is applied by itself. An edit with a "
      + "fault changes nothing; the generation in force stays, and the journal, systemctl status and "
      + "settlectl status say where the fault is. The inputs of the last good generation are kept; a "
      + "start on broken inputs comes up on those, degraded.",
    "As a service, settled.service is ready when the files of the first generation are in place. "
      + "'systemctl reload settled' reads all inputs again and fails where they are refused.",
    "Without root, the socket and the state are in the user's XDG directories.",
  ],
  examples: [
    Example("settled", "run on /etc/settled/settled.yaml"),
    Example("settled -m shop.yaml --root /tmp/shop", "try a manifest, without root"),
    Example("settled --once", "apply one generation, for images"),
  ],
  options: [
    .manifest, .socket, .stateDirectory, .root, .once, .strict, .logLevel,
  ],
  statuses: [
    Example("0", "stopped as asked, or applied with --once"),
    Example("1", "could not run, or refused with --once"),
    Example("2", "the command line is wrong"),
    Example("78", "the inputs are refused and no generation is stored"),
  ],
  environment: [
    Example("STATE_DIRECTORY, RUNTIME_DIRECTORY", "set by systemd: where state and socket are"),
    Example("CREDENTIALS_DIRECTORY", "set by systemd: where the secrets of LoadCredential= are"),
    Example("NOTIFY_SOCKET, WATCHDOG_USEC", "set by systemd, and kept from commands that are run"),
  ],
  sections: [
    ManualSection(
      "SIGNALS",
      rows: [
        Example("SIGHUP", "all inputs are read again; 'settlectl reload' also tells the verdict"),
        Example("SIGTERM, SIGINT", "an apply is brought to its end, then it stops"),
      ]),
    ManualSection(
      "FILES",
      rows: [
        Example("/etc/settled/settled.yaml", "the manifest, see settled.yaml(5)"),
        Example("/run/settled/io.settled", "the control socket"),
        Example("/var/lib/settled", "the last good generation, what was applied, the history"),
        Example(
          "/usr/share/doc/settled/examples",
          "drop-ins that run it without root, a polkit rule, a whole shop"),
      ]),
    ManualSection("SEE ALSO", ["settlectl(1), settled.yaml(5), systemd.service(5)"]),
  ])

extension DaemonOptions {
  /// The options of a command line.
  init(_ invocation: Invocation) {
    self.init(
      manifest: invocation.value(of: .manifest), socket: invocation.value(of: .socket),
      stateDirectory: invocation.value(of: .stateDirectory), root: invocation.value(of: .root),
      isOnce: invocation.has(.once), isStrict: invocation.has(.strict),
      logLevel: invocation.value(of: .logLevel).flatMap(LogLevel.init))
  }
}
