import Expressions
import SettledInputs
import SettledSettings
import SettledValues
import SettledYAML
import Targets
import Templates

/// A template file, read and compiled.
struct LoadedTemplate: Sendable {
  /// The template.
  var template: Template
  /// The bytes of its file and of all that it includes.
  var sources: [[UInt8]]
}

/// All inputs of a pass, read and parsed.
struct Loaded: Sendable {
  var manifest: Manifest
  var manifestDocument: YAMLDocument
  var layers: [Layer] = []
  var schema: Schema?
  /// The templates by what the manifest says of them.
  var templates: [TemplateRule: LoadedTemplate] = [:]
  /// What was taken, but is likely not what was meant, beside the warnings of the layers.
  var warnings: [Diagnostic] = []
}

extension Loaded {
  /// The settings: the layers merged, and as the schema wants them.
  ///
  /// - Throws: all that the settings do not keep of the schema.
  func settings(after former: Settings?) throws(Refusal) -> Settings {
    let settings = try Settings(layers)
    guard let schema, let rule = manifest.schema else { return settings }
    return try settings.conforming(to: schema, after: former, askedAt: rule.node.place)
  }
}

/// Reads all inputs of a pass and collects all their faults.
///
/// What is read and has not changed since the last pass is neither read nor parsed again.
struct Loader {
  var inputs: InputSet
  let documents: Documents
  let environment: ProcessEnvironment
  private let last: Loaded?
  /// What was in force when the daemon ended.
  private let lastGood: StoredInputs?
  /// Files that are layers, and where the manifest says so.
  private var layerFiles: [Value: YAMLNode] = [:]
  private let facts: Value
  let base: String
  private var faults: [Diagnostic] = []
  var warnings: [Diagnostic] = []
  private(set) var limits = YAMLLimits()

  init(
    _ inputs: InputSet, documents: Documents, last: Loaded?, lastGood: StoredInputs? = nil,
    facts: Value, environment: ProcessEnvironment
  ) {
    self.inputs = inputs
    self.environment = environment
    self.documents = documents
    self.last = last
    self.lastGood = lastGood
    self.facts = facts
    base = inputs.base
  }

  /// Reads the manifest, and all that it names.
  ///
  /// - Throws: the faults of all inputs.
  mutating func load(_ path: String) throws(Refusal) -> Loaded {
    let hint = "create it, or name another manifest"
    inputs.sizeHint =
      "the manifest itself is read up to the default; move contents to templates, values to layers"
    let file = try inputs.read(path, missing: hint, named: path)
    let document = try manifestDocument(of: file)
    var loaded: Loaded
    if let last, last.manifestDocument === document {
      loaded = Loaded(manifest: last.manifest, manifestDocument: document)
    } else {
      let manifest = try ManifestReader.read(document, path: path)
      loaded = Loaded(manifest: manifest, manifestDocument: document)
    }
    limits = loaded.manifest.daemon.limits
    inputs.sizeLimit = limits.fileSize
    inputs.sizeHint = "split the file, or raise 'file_size' in 'daemon: {limits: }' of the manifest"
    for rule in loaded.manifest.layers { loaded.layers += layers(rule) }
    refuseLayer(path, "the manifest")
    loaded.schema = loaded.manifest.schema.flatMap { schema($0) }
    for rule in loaded.manifest.targets {
      guard case .template(let template, let node)? = rule.file?.content else { continue }
      if loaded.templates[template] == nil {
        loaded.templates[template] = self.template(template, askedAt: node)
      }
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    loaded.warnings = warnings + loaded.manifest.targets.compactMap(\.warningOfOldFile)
    return loaded
  }

  private func manifestDocument(of file: InputFile) throws(Refusal) -> YAMLDocument {
    do {
      return try documents.document(of: file)
    } catch {
      throw Refusal(error.diagnostics.map(ManifestReader.withExpressionHint))
    }
  }

  private mutating func layers(_ rule: LayerRule) -> [Layer] {
    do {
      switch rule.source {
      case .secret(let source, let keys): return [try secret(source, at: keys, rule.node)]
      case .environment(let prefix): return try variables(prefix, rule.node)
      case .file, .glob: break
      }
      return try files(rule).map { file throws(Refusal) in
        layerFiles[.string(file.path)] = rule.node
        let layer = Layer(try documents.document(of: file, limits: limits))
        if layer.isEmpty, hadContent(layer, file) {
          faults.append(Layer.lostContent(file.shown))
        }
        return layer
      }
    } catch {
      faults += error.diagnostics
      return []
    }
  }

  /// Whether a layer had content in the generation in force, or in the last good one.
  private func hadContent(_ layer: Layer, _ file: InputFile) -> Bool {
    if let last { return layer.lostContent(since: last.layers) != nil }
    guard let bytes = lastGood?.bytes(of: file.path) else { return false }
    return (try? YAMLDocument.read(bytes, file: file.shown, limits: limits))?.root != nil
  }

  /// Refuses a file as a layer that is read for something else.
  private mutating func refuseLayer(_ path: String, _ thing: String) {
    guard let node = layerFiles[.string(path)] else { return }
    let shown = FilePaths.shown(path, from: base)
    faults.append(
      node.fault(
        "'\(shown)' is \(thing), and cannot be a layer",
        hint: "name the layers so that it is not among them, or move it to another directory"))
  }

  /// The schema of the settings, compiled again only where its file or its rule changed.
  private mutating func schema(_ rule: SchemaRule) -> Schema? {
    do throws(Refusal) {
      let path = FilePaths.resolve(rule.path, from: base)
      refuseLayer(path, "the schema")
      let file = try inputs.read(path, askedAt: rule.node.place)
      let document = try documents.document(of: file, limits: limits)
      if let known = last?.schema, known.document === document, known.limits == rule.limits {
        return known
      }
      return try Schema(document, limits: rule.limits)
    } catch {
      faults += error.diagnostics
      return nil
    }
  }

  private mutating func files(_ rule: LayerRule) throws(Refusal) -> [InputFile] {
    let place = rule.node.place
    switch rule.source {
    case .glob(let pattern):
      guard let glob = Glob(FilePaths.resolve(pattern, from: base)) else { return [] }
      return try inputs.read(glob, askedAt: place)
    case .file(let interpolation, let isOptional):
      let path = FilePaths.resolve(try path(interpolation, rule.node), from: base)
      guard isOptional else {
        let hint = "create it, correct the path, or write it as 'optional: PATH'"
        return [try inputs.read(path, askedAt: place, missing: hint)]
      }
      return try inputs.readOptional(path, askedAt: place).map { [$0] } ?? []
    case .secret, .environment: return []
    }
  }

  /// The path of a layer, in which only `facts` can be named.
  func path(
    _ interpolation: Interpolation, _ node: YAMLNode
  ) throws(Refusal) -> String {
    do {
      return try interpolation.render(ValueLookup([Program.factsName: facts]))
    } catch {
      throw Refusal([
        node.fault(error.message, in: error.range, hint: error.hint ?? Self.pathHint)
      ])
    }
  }

  private static let pathHint = "the path of a layer may name 'facts' only"

  private mutating func template(
    _ rule: TemplateRule, askedAt node: YAMLNode
  ) -> LoadedTemplate? {
    do throws(Refusal) {
      let file = try inputs.read(FilePaths.resolve(rule.path, from: base), askedAt: node.place)
      var sources = [file.bytes]
      let template = try Self.compile(file, rule.options) { name in
        let included = try inputs.read(FilePaths.resolve(name, from: base))
        sources.append(included.bytes)
        return IncludedFile(file: included.shown, bytes: included.bytes)
      }
      return LoadedTemplate(template: template, sources: sources)
    } catch {
      faults += error.diagnostics
      return nil
    }
  }

  private static func compile(
    _ file: InputFile, _ options: TemplateOptions, load: (String) throws -> IncludedFile
  ) throws(Refusal) -> Template {
    do {
      return try withoutActuallyEscaping(load) { load in
        try Template(file.bytes, file: file.shown, options: options, load: load)
      }
    } catch let error as TemplateError {
      guard var refusal = error.cause as? Refusal else { throw Refusal([error.diagnostic]) }
      for index in refusal.diagnostics.indices where refusal.diagnostics[index].place == nil {
        refusal.diagnostics[index].place = error.place
        refusal.diagnostics[index].excerpt = error.excerpt
      }
      throw refusal
    } catch {
      throw Refusal([Diagnostic(.error, "\(error)", at: Place(file: file.shown))])
    }
  }
}
