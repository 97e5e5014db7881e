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

  /// Reads a manifest; `path` is its absolute path.
  ///
  /// - Throws: all that is wrong with it.
  package static func read(_ document: YAMLDocument, path: String) throws(Refusal) -> Manifest {
    var reader = ManifestReader()
    let manifest = reader.manifest(document, path: path)
    reader.addFaults(of: document)
    guard reader.findings.isEmpty else { throw Refusal(reader.findings) }
    return manifest
  }

  /// Adds what the document does not keep of the manifest's schema, except where more is said already.
  private mutating func addFaults(of document: YAMLDocument) {
    guard document.root != nil else { return }
    let told = findings.map(\.place)
    findings += (document.missingValues() + ManifestSchema.faults(in: document)).filter { fault in
      !told.contains(fault.place)
    }
    findings = findings.enumerated().sorted { left, right in
      let (first, second) = (left.element.place, right.element.place)
      return (first?.line ?? 0, first?.column ?? 0, left.offset)
        < (second?.line ?? 0, second?.column ?? 0, right.offset)
    }.map(\.element)
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
    guard let fields = Fields(root) else { return manifest }
    manifest.layers = fields["layers"]?.elements.compactMap { layer($0) } ?? []
    manifest.schema = fields["schema"].flatMap { schema($0) }
    manifest.derived = fields["derived"].map { derived($0) } ?? []
    manifest.targets = fields["targets"].map { targets($0) } ?? []
    if fields["daemon"] != nil { manifest.daemon = daemon(document) }
    findings += Cycles.findings(in: manifest.derived)
    return manifest
  }

  private mutating func layer(_ node: YAMLNode) -> LayerRule? {
    if node.kind == .scalar, !node.isNull {
      if Glob.isPattern(node.text) { return glob(node) }
      return interpolation(node).map {
        LayerRule(source: .file($0, isOptional: false), node: node)
      }
    }
    guard let fields = Fields(node), let kind = layerKind(node, fields) else { return nil }
    switch kind {
    case "secret": return secret(node, fields)
    case "environment": return environment(node, fields)
    default: break
    }
    guard let path = fields["optional"], fields.text("optional") != nil else { return nil }
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
    node.entries.compactMap { derived($0) }
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
    node.entries.compactMap { target($0) }
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
  mutating func interpolation(_ node: YAMLNode, mayBeEmpty: Bool = false) -> Interpolation? {
    guard node.kind == .scalar, !node.isNull, mayBeEmpty || !node.text.isEmpty else {
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

  /// Reads the template in a scalar.
  mutating func template(_ node: YAMLNode, _ options: TemplateOptions) -> Template? {
    guard node.kind == .scalar, !node.isNull else {
      findings.append(node.fault("expected text"))
      return nil
    }
    do {
      return try Template(
        Array(node.text.utf8), file: node.document.file, options: options)
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
    guard signs.contains(where: { sign in String(value).containsBytes(sign) }) else {
      return diagnostic
    }
    var diagnostic = diagnostic
    diagnostic.hint = "if this is an expression, write '>-' and the expression on the next line"
    return diagnostic
  }

  /// YAML ends a plain scalar at ` #`, so that an expression with it is cut.
  private static func hint(for node: YAMLNode) -> String? {
    let line = node.excerpt(at: node.place)?.line ?? ""
    guard node.style == .plain, line.containsBytes(" #") else { return nil }
    return "YAML takes ' #' for a comment; write '>-' and the expression on the next line"
  }
}
