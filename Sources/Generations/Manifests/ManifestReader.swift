import Expressions
import SettledInputs
package import SettledValues
package import SettledYAML
import Targets
import Templates

/// Reads the manifest's document, with every fault at its place.
package struct ManifestReader {
  /// What is found wrong.
  var findings: [Diagnostic] = []

  private static let keys = ["layers", "schema", "derived", "targets", "daemon"]

  /// Reads a manifest; `path` is its absolute path.
  ///
  /// - Throws: all that is wrong with it.
  package static func read(_ document: YAMLDocument, path: String) throws(Refusal) -> Manifest {
    var reader = ManifestReader()
    let manifest = reader.manifest(document, path: path)
    guard reader.findings.isEmpty else { throw Refusal(reader.findings) }
    return manifest
  }

  private mutating func manifest(_ document: YAMLDocument, path: String) -> Manifest {
    var manifest = Manifest(path: path)
    guard let root = document.root else {
      findings.append(
        Diagnostic(
          .error, "the manifest is empty", at: Place(file: document.file),
          hint: "it needs 'layers' and 'targets'"))
      return manifest
    }
    guard let fields = Fields(root, of: "the manifest", known: Self.keys, findings: &findings)
    else { return manifest }
    manifest.layers = fields["layers"].map { layers($0) } ?? missingLayers(root)
    manifest.schema = fields["schema"].flatMap { schema($0) }
    manifest.derived = fields["derived"].map { derived($0) } ?? []
    manifest.targets = fields["targets"].map { targets($0) } ?? []
    manifest.daemon = fields["daemon"].map { daemon(document, $0) } ?? DaemonRule()
    findings += Cycles.findings(in: manifest.derived)
    return manifest
  }

  private mutating func missingLayers(_ root: YAMLNode) -> [LayerRule] {
    findings.append(
      root.fault("the manifest has no 'layers'", hint: "write 'layers: [FILE, …]'"))
    return []
  }

  private mutating func layers(_ node: YAMLNode) -> [LayerRule] {
    guard node.kind == .list else {
      findings.append(node.fault("'layers' must be a list of files, lowest rank first"))
      return []
    }
    return node.elements.compactMap { layer($0) }
  }

  private mutating func layer(_ node: YAMLNode) -> LayerRule? {
    if node.kind == .scalar, !node.isNull {
      if Glob.isPattern(node.text) { return glob(node) }
      return interpolation(node).map {
        LayerRule(source: .file($0, isOptional: false), node: node)
      }
    }
    guard let fields = Fields(node, of: "a layer", known: Self.layerKeys, findings: &findings)
    else {
      return nil
    }
    guard let kind = layerKind(node, fields) else { return nil }
    switch kind {
    case "secret": return secret(node, fields)
    case "environment": return environment(node, fields)
    default: break
    }
    guard let path = fields["optional"], fields.text("optional", findings: &findings) != nil else {
      return nil
    }
    return interpolation(path).map {
      LayerRule(source: .file($0, isOptional: true), node: path)
    }
  }

  private mutating func glob(_ node: YAMLNode) -> LayerRule? {
    guard Glob(node.text) != nil else {
      findings.append(
        node.fault(
          "wildcards may stand in the last part of a path only",
          hint: "name the directory: 'DIRECTORY/*.yaml'"))
      return nil
    }
    return LayerRule(source: .glob(node.text), node: node)
  }

  private mutating func derived(_ node: YAMLNode) -> [DerivedRule] {
    guard node.kind == .map else {
      findings.append(node.fault("'derived' must be a map of names and expressions"))
      return []
    }
    return node.entries.compactMap { derived($0) }
  }

  private mutating func derived(_ entry: YAMLNode.Entry) -> DerivedRule? {
    guard Path.isIdentifier(entry.key), !["settings", "facts"].contains(entry.key) else {
      findings.append(
        fault(
          "'\(entry.key)' cannot name a derived value", at: entry,
          hint: "use letters, digits and '_'; 'settings' and 'facts' are taken"))
      return nil
    }
    guard let expression = expression(entry.value) else { return nil }
    return DerivedRule(
      name: entry.key, place: entry.keyPlace, expression: expression, node: entry.value)
  }

  private mutating func targets(_ node: YAMLNode) -> [TargetRule] {
    guard node.kind == .map else {
      findings.append(node.fault("'targets' must be a map of names and what is wanted"))
      return []
    }
    return node.entries.compactMap { target($0) }
  }

  /// A finding that points at an entry's key.
  func fault(
    _ message: String, at entry: YAMLNode.Entry, hint: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      .error, message, at: entry.keyPlace,
      excerpt: entry.value.excerpt(at: entry.keyPlace, length: entry.key.unicodeScalars.count),
      hint: hint)
  }

  /// Reads the expression in a scalar.
  mutating func expression(_ node: YAMLNode) -> Expression? {
    guard node.kind == .scalar, !node.isNull else {
      findings.append(
        node.fault("expected an expression", hint: "write '>-' and the expression on its own line"))
      return nil
    }
    do {
      return try Expression(node.text)
    } catch {
      let hint = error.hint ?? Self.hint(for: node)
      findings.append(node.fault(error.message, in: error.range, hint: hint))
      return nil
    }
  }

  /// Reads the short text with `{{ }}` in a scalar: a path or an argument.
  mutating func interpolation(_ node: YAMLNode) -> Interpolation? {
    guard node.kind == .scalar, !node.isNull, !node.text.isEmpty else {
      findings.append(node.fault("expected text"))
      return nil
    }
    do {
      return try Interpolation(node.text)
    } catch {
      findings.append(node.fault(error.message, in: error.range, hint: error.hint))
      return nil
    }
  }

  /// The line break at the end of a template is one of the file that is made from it.
  static let templateOptions = {
    var options = TemplateOptions()
    options.keepTrailingNewline = true
    return options
  }()

  /// Reads the template in a scalar.
  mutating func template(_ node: YAMLNode) -> Template? {
    guard node.kind == .scalar, !node.isNull else {
      findings.append(node.fault("expected text"))
      return nil
    }
    do {
      return try Template(
        Array(node.text.utf8), file: node.document.file, options: Self.templateOptions)
    } catch {
      findings.append(node.fault(of: error))
      return nil
    }
  }

  /// Adds to a finding of the YAML reader what an expression on that line may need.
  static func withExpressionHint(_ diagnostic: Diagnostic) -> Diagnostic {
    guard let line = diagnostic.excerpt?.line, let colon = line.firstIndex(of: ":") else {
      return diagnostic
    }
    let value = line[colon...].dropFirst()
    let signs = [" + ", " - ", " * ", " == ", " != ", " && ", " || ", " ? ", "(", " < ", " > "]
    guard signs.contains(where: { sign in value.contains(sign) }) else { return diagnostic }
    var diagnostic = diagnostic
    diagnostic.hint = "if this is an expression, write '>-' and the expression on the next line"
    return diagnostic
  }

  /// YAML ends a plain scalar at ` #`, so that an expression with it is cut.
  private static func hint(for node: YAMLNode) -> String? {
    let line = node.excerpt(at: node.place)?.line ?? ""
    guard node.style == .plain, line.contains(" #") else { return nil }
    return "YAML takes ' #' for a comment; write '>-' and the expression on the next line"
  }
}
