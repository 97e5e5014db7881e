import SettledValues
import SettledYAML
import Templates

extension ManifestReader {
  private static let layerKinds = ["optional", "secret", "environment"]

  /// The key that says what kind of layer a map is.
  mutating func layerKind(_ node: YAMLNode, _ fields: Fields) -> String? {
    let kinds = fields.present(Self.layerKinds)
    guard kinds.count == 1, let kind = kinds.first else {
      findings.append(
        node.fault(
          kinds.isEmpty
            ? "a layer must be a path, or have 'optional', 'secret' or 'environment'"
            : "a layer is one of " + kinds.map { "'\($0)'" }.joined(separator: ", ")))
      return nil
    }
    if kind != "secret", let at = fields["at"] {
      findings.append(at.fault("only a secret has 'at': where it goes"))
    }
    return kind
  }

  /// Reads `secret: {credential: NAME}` or `{file: PATH}`, with `at: PATH` beside it.
  mutating func secret(_ node: YAMLNode, _ fields: Fields) -> LayerRule? {
    guard let secret = fields["secret"] else { return nil }
    let keys = mountKeys(node, fields)
    guard let sources = Fields(secret) else { return nil }
    guard sources.present(["credential", "file"]).count == 1 else {
      findings.append(secret.fault("a secret has 'credential: NAME' or 'file: PATH'"))
      return nil
    }
    guard let source = credential(sources) ?? file(sources), let keys,
      let node = sources["credential"] ?? sources["file"]
    else { return nil }
    return LayerRule(source: .secret(source, at: keys), node: node)
  }

  private mutating func mountKeys(_ node: YAMLNode, _ fields: Fields) -> [String]? {
    guard let at = fields["at"] else {
      findings.append(
        node.fault(
          "a secret needs 'at': the setting that it is", hint: "write 'at: db.password' beside it"))
      return nil
    }
    guard let text = fields.text("at") else { return nil }
    guard let keys = Path(spelled: text)?.keys else {
      findings.append(
        at.fault(
          "'\(text)' is no path of a setting",
          hint: "spell it as 'db.password' or 'db[\"pass-word\"]'"))
      return nil
    }
    return keys
  }

  private mutating func credential(_ fields: Fields) -> SecretSource? {
    guard let node = fields["credential"], let name = fields.text("credential") else { return nil }
    let isName = name.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":")
    }
    guard isName, name != ".", name != "..", name.utf8.count <= 255 else {
      findings.append(
        node.fault(
          "'\(name)' cannot name a credential", hint: "it is the name of a file, without '/'"))
      return nil
    }
    return .credential(name)
  }

  private mutating func file(_ fields: Fields) -> SecretSource? {
    guard let node = fields["file"] else { return nil }
    return interpolation(node).map { .file($0) }
  }

  /// Reads `environment: PREFIX`.
  mutating func environment(_ node: YAMLNode, _ fields: Fields) -> LayerRule? {
    guard let value = fields["environment"], let prefix = fields.text("environment") else {
      return nil
    }
    guard Path.isIdentifier(prefix), prefix.utf8.last == UInt8(ascii: "_") else {
      findings.append(
        value.fault(
          "'\(prefix)' is no prefix of variables",
          hint: "use letters, digits and '_', with '_' at the end"))
      return nil
    }
    return LayerRule(source: .environment(prefix), node: value)
  }
}
