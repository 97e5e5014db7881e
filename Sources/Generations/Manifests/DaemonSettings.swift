public import Observation
public import SettledObserving
public import SettledSettings
import SettledValues
public import SettledYAML

/// The daemon's own settings: `daemon:` of the manifest, of the generation in force.
@Observable
public final class DaemonSettings: SettingsModel {
  /// What the macro's code reports to.
  @ObservationIgnored public let _$observationRegistrar = Tracking()
  /// How long nothing may move before inputs are looked at.
  public var quiet = Duration.zero
  /// How often inputs are compared, in case the kernel does not tell that they moved.
  public var poll = DaemonSettings.defaultPoll
  /// What is logged; nil where only the command line says it.
  public var logLevel: LogLevel?
  /// What the layers may ask of their reader.
  public let limits = LimitSettings()

  /// How often inputs are compared where nothing says otherwise.
  public nonisolated static let defaultPoll = Duration.seconds(30)

  /// Creates settings with their defaults.
  public init() {}

  /// The settings.
  public static let settings: [Setting<DaemonSettings>] = [
    Setting("quiet", \.quiet, doc: "how long nothing may move before inputs are looked at"),
    Setting(
      "poll", \.poll, in: .milliseconds(100)...,
      doc: "how often inputs are compared that the kernel may not tell of"),
    Setting("log_level", \.logLevel, doc: "what is logged"),
    Setting("limits", \.limits, doc: "what the layers may ask of their reader"),
  ]

  /// Where they are in the manifest.
  static let path = Path([.key("daemon")])
}

/// The least urgent messages that are logged.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, SettingValue {
  /// What failed.
  case error
  /// And what is likely not meant.
  case warning
  /// And what was done.
  case info
  /// And what was found to need nothing.
  case debug
}

/// `limits:` of the daemon's own settings.
@Observable
public final class LimitSettings: SettingsModel {
  /// What the macro's code reports to.
  @ObservationIgnored public let _$observationRegistrar = Tracking()
  private var fileSize: ByteCount
  private var depth: Int
  private var scalarSize: ByteCount
  private var keyLength: Int
  private var expandedNodes: Int
  private var expansionFactor: Int
  private var findings: Int

  /// Creates the limits that the reader has by default.
  public init() {
    let limits = YAMLLimits()
    fileSize = ByteCount(limits.fileSize)
    depth = limits.depth
    scalarSize = ByteCount(limits.scalarSize)
    keyLength = limits.keyLength
    expandedNodes = limits.expandedNodes
    expansionFactor = limits.expansionFactor
    findings = limits.findings
  }

  /// The limits as the reader takes them.
  public var limits: YAMLLimits {
    YAMLLimits(
      fileSize: fileSize.bytes, depth: depth, scalarSize: scalarSize.bytes, keyLength: keyLength,
      expandedNodes: expandedNodes, expansionFactor: expansionFactor, findings: findings)
  }

  /// The settings.
  public static let settings: [Setting<LimitSettings>] = [
    Setting("file_size", \.fileSize, in: ByteCount(1)..., doc: "the bytes of a file"),
    Setting("depth", \.depth, in: 1..., doc: "how deep maps and lists are nested"),
    Setting("scalar_size", \.scalarSize, in: ByteCount(1)..., doc: "the bytes of a scalar"),
    Setting("key_length", \.keyLength, in: 1..., doc: "the characters of a key"),
    Setting(
      "expanded_nodes", \.expandedNodes, in: 1...,
      doc: "the nodes that aliases and merge keys may stand for"),
    Setting(
      "expansion_factor", \.expansionFactor, in: 1...,
      doc: "the further nodes that aliases may stand for, for each node that is written"),
    Setting("findings", \.findings, in: 1..., doc: "the findings that are told of one file"),
  ]
}
