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
    var text = file.bytes
    if text.last == UInt8(ascii: "\n") { text.removeLast() }
    guard !text.isEmpty else {
      throw Refusal([
        node.fault("the secret '\(origin)' is empty", hint: "write the secret into it")
      ])
    }
    try check(text, of: "the secret '\(origin)'", node)
    return documents.layer(of: file, text: text, at: keys, origin: origin)
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
    guard let directory = environment.credentialsDirectory else {
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
    let files = inputs.readVariables(prefix, of: environment)
    var faults: [Diagnostic] = []
    var layers: [Layer] = []
    var known: [(keys: [String], name: String)] = []
    for file in files {
      let name = String(file.path.dropFirst(InputSet.variable.count))
      do throws(Refusal) {
        let keys = try keys(of: name, after: prefix, node)
        if let other = known.first(where: { Self.clash($0.keys, keys) }) {
          throw Refusal([
            node.fault(
              "the variables '\(other.name)' and '\(name)' set one setting, or one below the other",
              hint: "unset one of them")
          ])
        }
        known.append((keys, name))
        try check(file.bytes, of: "the variable '\(name)'", node)
        layers.append(
          documents.layer(of: file, text: file.bytes, at: keys, origin: file.path))
      } catch {
        faults += error.diagnostics
      }
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    return layers
  }

  private func keys(
    of name: String, after prefix: String, _ node: YAMLNode
  ) throws(Refusal) -> [String] {
    let parts = Self.parts(Array(name.utf8.dropFirst(prefix.utf8.count)))
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw Refusal([
        node.fault(
          "the variable '\(name)' names no setting",
          hint: "write '\(prefix)HTTP__PORT' for 'http.port'")
      ])
    }
    guard parts.count < limits.depth, parts.allSatisfy({ $0.utf8.count <= limits.keyLength }) else {
      throw Refusal([
        node.fault("the variable '\(name)' is longer than the limits 'depth' or 'key_length' allow")
      ])
    }
    return parts
  }

  /// The keys that the rest of a variable's name spells: `__` between them, letters lowercased.
  private static func parts(_ bytes: [UInt8]) -> [String] {
    let underscore = UInt8(ascii: "_")
    var parts: [[UInt8]] = [[]]
    var position = 0
    while position < bytes.count {
      if bytes[position] == underscore, position + 1 < bytes.count,
        bytes[position + 1] == underscore
      {
        parts.append([])
        position += 2
      } else {
        let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[position])
        parts[parts.count - 1].append(isUpper ? bytes[position] | 0x20 : bytes[position])
        position += 1
      }
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func clash(_ left: [String], _ right: [String]) -> Bool {
    zip(left, right).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  /// Checks that bytes are text a setting can hold.
  private func check(_ text: [UInt8], of thing: String, _ node: YAMLNode) throws(Refusal) {
    guard text.count <= limits.scalarSize else {
      throw Refusal([
        node.fault(
          "\(thing) has \(text.count) bytes: the limit 'scalar_size' is \(limits.scalarSize)")
      ])
    }
    guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
      throw Refusal([
        node.fault("\(thing) is no text in UTF-8", hint: "encode it, for example as base64")
      ])
    }
  }
}
