internal import SettledInputs
public import SettledValues
public import SettledYAML

/// Layers of settings in files, lowest rank first.
///
/// ```swift
/// let files = SettingsFiles(["/usr/share/shop/shop.yaml", .optional("/etc/shop.yaml"),
///   .dropIns("/etc/shop.d/*.yaml")])
/// try shop.update(from: files.load())
/// ```
public struct SettingsFiles: Sendable {
  /// The sources, lowest rank first.
  public let sources: [SettingsSource]
  /// What the files may ask of their reader.
  public let limits: YAMLLimits
  private let directory: String

  /// Creates layers; nothing is read yet.
  ///
  /// - Parameters:
  ///   - sources: the sources, lowest rank first.
  ///   - directory: what relative paths are relative to; the working directory, if left out.
  ///   - limits: what the files may ask of their reader.
  public init(
    _ sources: [SettingsSource], in directory: String = ".", limits: YAMLLimits = YAMLLimits()
  ) {
    self.sources = sources
    self.limits = limits
    self.directory = FilePaths.absolute(directory)
  }

  /// Reads and merges all layers.
  ///
  /// - Throws: all that is wrong with them, each with its place.
  public func load() throws(Refusal) -> Settings {
    var loader = SettingsLoader(self)
    return try loader.load()
  }

  /// Nothing read yet, after a pass that read `last`.
  func inputs(after last: InputSet?) -> InputSet {
    var inputs = InputSet(base: directory, after: last)
    inputs.sizeLimit = limits.fileSize
    return inputs
  }

  /// The files of YAML of one source.
  func files(
    of source: SettingsSource, _ inputs: inout InputSet
  ) throws(Refusal) -> [InputFile] {
    switch source {
    case .file(let path): return [try inputs.read(resolve(path))]
    case .optional(let path): return try inputs.readOptional(resolve(path)).map { [$0] } ?? []
    case .dropIns(let pattern):
      guard let glob = Glob(resolve(pattern)) else {
        throw Refusal([
          Diagnostic(
            .error, "'\(pattern)' is no pattern of drop-ins",
            hint: "write wildcards in the last part only, as in 'shop.d/*.yaml'")
        ])
      }
      return try inputs.read(glob)
    case .secret, .credential, .environment: return []
    }
  }

  /// The layers of a source that is no YAML.
  func scalars(
    of source: SettingsSource, _ inputs: inout InputSet, _ documents: Documents,
    _ warnings: inout [Diagnostic]
  ) throws(Refusal) -> [Layer] {
    let layers = ScalarLayers(documents, limits: limits) { Diagnostic(.error, $0, hint: $1) }
    switch source {
    case .file, .optional, .dropIns: return []
    case .secret(let path, let setting):
      let file = try inputs.readSecret(resolve(path), missing: "create it with mode 0600")
      if file.isReadableByAll {
        warnings.append(
          Diagnostic(
            .warning, "every user can read the secret '\(file.shown)'",
            hint: "chmod o= \(file.path)"))
      }
      return [try layers.secret(file, origin: file.shown, at: keys(setting))]
    case .credential(let name, let setting):
      guard let directory = Self.environment.credentialsDirectory() else {
        throw Refusal([
          Diagnostic(
            .error, "there is no credential '\(name)': CREDENTIALS_DIRECTORY is not set",
            hint: "write 'LoadCredential=\(name):/PATH/OF/THE/SECRET' into the unit")
        ])
      }
      let file = try inputs.readSecret(
        FilePaths.resolve(name, from: directory), missing: "name it in LoadCredential= of the unit")
      return [try layers.secret(file, origin: "credential:\(name)", at: keys(setting))]
    case .environment(let prefix):
      return try layers.variables(
        inputs.readVariables(prefix, of: Self.environment), after: prefix)
    }
  }

  /// What the process was started with, as it was when it was first asked for.
  private static let environment = ProcessEnvironment.current

  private func keys(_ setting: String) throws(Refusal) -> [String] {
    if let keys = Path(spelled: setting)?.keys { return keys }
    throw Refusal([
      Diagnostic(
        .error, "'\(setting)' is no path of a setting", hint: "spell it as 'db.password'")
    ])
  }

  private func resolve(_ path: String) -> String { FilePaths.resolve(path, from: directory) }
}

/// Reads layers again and again; what has not changed is neither read nor parsed again.
struct SettingsLoader: Sendable {
  /// How often a pass starts over because a file moved while it was read.
  private static let attempts = 5

  /// What was read last, or looked for.
  private(set) var inputs: InputSet
  private let files: SettingsFiles
  private let documents = Documents()
  /// The layers of files that were taken last.
  private var taken: [Layer] = []

  init(_ files: SettingsFiles) {
    self.files = files
    inputs = files.inputs(after: nil)
  }

  /// Reads and merges all layers.
  ///
  /// - Throws: all that is wrong with them.
  mutating func load() throws(Refusal) -> Settings {
    for _ in 1..<Self.attempts {
      let outcome = attempt()
      if !inputs.haveMoved() { return try take(outcome) }
    }
    return try take(attempt())
  }

  private mutating func take(_ outcome: Result<Settings, Refusal>) throws(Refusal) -> Settings {
    let settings = try outcome.get()
    taken = settings.layers
    return settings
  }

  private mutating func attempt() -> Result<Settings, Refusal> {
    var inputs = files.inputs(after: inputs)
    defer { self.inputs = inputs }
    var layers: [Layer] = []
    var (faults, warnings): ([Diagnostic], [Diagnostic]) = ([], [])
    for source in files.sources {
      do {
        layers += try files.scalars(of: source, &inputs, documents, &warnings)
        for file in try files.files(of: source, &inputs) {
          do {
            layers.append(Layer(try documents.document(of: file, limits: files.limits)))
          } catch { faults += error.diagnostics }
        }
      } catch { faults += error.diagnostics }
    }
    documents.keep(inputs.files)
    faults += layers.compactMap { $0.lostContent(since: taken) }
    guard faults.isEmpty else { return .failure(Refusal(faults)) }
    do { return .success(try Settings(layers).adding(warnings)) } catch { return .failure(error) }
  }
}
