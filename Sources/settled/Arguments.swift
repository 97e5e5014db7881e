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
    "strict", summary: "do not start on the last good generation where the inputs are refused")
  fileprivate static let logLevel = Option(
    "log-level", metavar: "LEVEL",
    values: .oneOf(LogLevel.allCases.map(\.rawValue)),
    summary: "what is logged (default: what the manifest says, else info)")
}

/// The daemon's command line.
let program = Program(
  "settled", version: "0.1.0", summary: "keep files and services in step with layered settings",
  examples: [
    Example("settled", "run on /etc/settled/settled.yaml"),
    Example("settled --manifest shop.yaml --root /tmp/shop", "try a manifest, without root"),
    Example("settled --once", "apply one generation and end, for images and containers"),
  ],
  options: [
    .manifest, .socket, .stateDirectory, .root, .once, .strict, .logLevel,
  ],
  statuses: [
    Example("0", "stopped as asked, or applied with --once"),
    Example("1", "could not run, or refused with --once"),
    Example("2", "the command line is wrong"),
    Example("78", "the inputs are refused and no generation is stored"),
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
