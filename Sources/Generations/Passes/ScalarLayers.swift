import SettledInputs
import SettledSettings
import SettledValues
import SettledYAML
import Templates

extension Loader {
  /// Reads a secret: its text, without one line break at its end, is a string.
  mutating func secret(
    _ source: SecretSource, at keys: [String], _ node: YAMLNode
  ) throws(Refusal) -> Layer {
    let (file, origin) = try secretFile(source, node)
    return try scalarLayers(node).secret(file, origin: origin, at: keys)
  }

  private mutating func secretFile(
    _ source: SecretSource, _ node: YAMLNode
  ) throws(Refusal) -> (InputFile, origin: String) {
    switch source {
    case .credential(let name):
      let file = try inputs.readSecret(
        try credential(name, node), askedAt: node.place, missing: Self.credentialHint(name))
      return (file, "credential:\(name)")
    case .file(let interpolation):
      let path = FilePaths.resolve(try path(interpolation, node), from: base)
      let hint = "create it with mode 0600, or correct the path"
      let file = try inputs.readSecret(path, askedAt: node.place, missing: hint)
      if file.isReadableByAll {
        var warning = node.fault(
          "every user can read the secret '\(file.shown)'", hint: "chmod o= \(file.path)")
        warning.severity = .warning
        warnings.append(warning)
      }
      return (file, file.shown)
    }
  }

  private func credential(_ name: String, _ node: YAMLNode) throws(Refusal) -> String {
    guard let directory = environment.credentialsDirectory(ofUnit: "settled.service") else {
      throw Refusal([
        node.fault(
          "there is no credential '\(name)': CREDENTIALS_DIRECTORY is not set",
          hint: Self.credentialHint(name) + "; for a check by hand, name a directory that has it")
      ])
    }
    return FilePaths.resolve(name, from: directory)
  }

  private static func credentialHint(_ name: String) -> String {
    "write 'LoadCredential=\(name):/PATH/OF/THE/SECRET' below [Service] with "
      + "'systemctl edit settled', and restart it"
  }

  /// Reads the variables that start with `prefix`, each a layer with one scalar.
  mutating func variables(_ prefix: String, _ node: YAMLNode) throws(Refusal) -> [Layer] {
    try scalarLayers(node).variables(
      inputs.readVariables(prefix, of: environment), after: prefix)
  }

  private func scalarLayers(_ node: YAMLNode) -> ScalarLayers {
    ScalarLayers(documents, limits: limits) { node.fault($0, hint: $1) }
  }
}
