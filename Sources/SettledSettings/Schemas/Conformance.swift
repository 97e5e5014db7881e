public import SettledValues
internal import SettledYAML

extension Settings {
  /// These settings as a schema wants them: with its defaults where nothing is set, plain scalars
  /// read as what it asks for, and its secrets marked.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - former: Settings from before; what is read as it was then is known to be the same.
  ///   - place: Where something asks for the schema, for what has no place in a layer.
  /// - Returns: The settings, with the warnings of deprecated ones.
  /// - Throws: All that does not keep the schema, each at the place that sets it.
  public func conforming(
    to schema: Schema, after former: Settings? = nil, askedAt place: Place? = nil
  ) throws(Refusal) -> Settings {
    var settings = self
    if let defaults = Defaults(schema).layer(below: self) {
      settings = Settings(MergedTree([defaults] + layers, hasFloor: true))
    }
    let secrets = schema.secretPaths(in: settings) + secretPaths
    settings = settings.marking(secret: secrets)
    var conformance = Conformance(schema, settings)
    let found = conformance.validate()
    guard found.isEmpty else {
      throw Refusal(found.map { conformance.diagnostic($0, askedAt: place) })
    }
    return settings.reading(
      conformance.readings, after: former, remarks: schema.warnings + settings.deprecations(schema))
  }

  /// The same with plain scalars read in other ways.
  private func reading(
    _ readings: [[ScalarReading]], after former: Settings?, remarks: [Diagnostic]
  ) -> Settings {
    let known = former?.tree
    let layers = zip(tree.documents, readings).map { document, readings -> LayerReadings? in
      guard readings.contains(where: { $0 != .core }) else { return nil }
      let rank = known?.documents.firstIndex { $0 === document }
      if let known, let rank, !known.readings.isEmpty, let same = known.readings[rank],
        same.readings == readings
      {
        return same
      }
      return LayerReadings(readings)
    }
    return Settings(
      MergedTree(tree, marks: tree.marks, readings: layers, remarks: tree.remarks + remarks))
  }
}

extension Settings {
  /// All that does not keep a schema, each at the place that sets it; nothing is filled in.
  package func faults(against schema: Schema) -> [Diagnostic] {
    var conformance = Conformance(schema, self)
    return conformance.validate().map { conformance.diagnostic($0, askedAt: nil) }
  }
}

extension Schema {
  /// Tells whether merged settings keep the schema, without its defaults.
  public func accepts(_ settings: Settings) -> Bool {
    var conformance = Conformance(self, settings)
    return conformance.isKept()
  }
}

/// Settings that are held against a schema.
struct Conformance {
  let schema: Schema
  let settings: Settings
  /// How the plain scalars of all layers are read, those of one behind those of another.
  private var flat: [ScalarReading]
  /// Where each layer's start.
  private let starts: [Int]

  init(_ schema: Schema, _ settings: Settings) {
    self.schema = schema
    self.settings = settings
    var (starts, count) = ([Int](), 0)
    for document in settings.tree.documents {
      starts.append(count)
      count += document.nodes.count
    }
    self.starts = starts
    flat = [ScalarReading](repeating: .core, count: count)
  }

  /// How the plain scalars of each layer are read.
  var readings: [[ScalarReading]] {
    starts.indices.map { layer in
      let end = layer + 1 < starts.count ? starts[layer + 1] : flat.count
      return Array(flat[starts[layer]..<end])
    }
  }

  /// Tells whether the settings keep the schema, and finds how they are read.
  mutating func isKept() -> Bool {
    let (schema, root) = (schema, settings.tree.root ?? SettingsInstances.empty)
    return withInstances { instances in
      schema.accepts(root, in: instances) { $0.settleTypes(schema.tables.root, root) }
    }
  }

  /// All that the settings do not keep.
  mutating func validate() -> [Violation] {
    if isKept() { return [] }
    let (schema, tree) = (schema, settings.tree)
    return withInstances { instances in
      schema.tables.withView { view in
        var collector = Validator(view, instances, schema.limits)
        collector.isCollecting = true
        _ = collector.apply(schema.tables.root, to: tree.root ?? SettingsInstances.empty)
        return schema.violations(of: collector) { node in
          node != SettingsInstances.empty && SettingsNode(tree: tree, reference: node).holdsSecret
        }
      }
    }
  }

  private mutating func withInstances<Answer>(_ body: (SettingsInstances) -> Answer) -> Answer {
    let (tree, starts) = (settings.tree, starts)
    return flat.withUnsafeMutableBufferPointer { flat in
      let readings = starts.map { start in flat.baseAddress.map { $0 + start } }
      return readings.withUnsafeBufferPointer { readings in
        Arena.withArenas(of: tree.documents) { arenas in
          tree.maps.withUnsafeBufferPointer { maps in
            tree.entries.withUnsafeBufferPointer { entries in
              withUnsafePointer(to: tree) { tree in
                body(
                  SettingsInstances(
                    arenas: arenas, maps: maps, entries: entries, readings: readings, tree: tree))
              }
            }
          }
        }
      }
    }
  }

  /// A violation at the place that sets the value, with what it overrides.
  func diagnostic(_ violation: Violation, askedAt place: Place?) -> Diagnostic {
    guard let node = settings.node(at: violation.path) else {
      return Diagnostic(.error, violation.message, at: place, hint: violation.hint)
    }
    var fault = settings.fault(violation.message, at: violation.path, hint: violation.hint)
    if fault.place?.line == 0, violation.path.components.isEmpty { fault.place = place }
    if node.kind != .scalar { fault.notes = [] }
    if node.kind == .scalar, violation.isOfType,
      let reason = node.document.node(node.reference.index).reason
    {
      fault.hint = reason
    }
    if violation.isOfKey, let source = node.reference.isMerged ? node.sources.last : node,
      let key = source.document.node(source.reference.index).keyPlace
    {
      fault.place = key
      let length = violation.path.components.last?.length ?? 1
      fault.excerpt = fault.excerpt.flatMap { _ in
        source.document.node(source.reference.index).excerpt(at: key, length: length)
      }
    }
    return fault
  }
}

extension Path.Component {
  /// The code points of a key.
  fileprivate var length: Int {
    if case .key(let key) = self { key.unicodeScalars.count } else { 1 }
  }
}
