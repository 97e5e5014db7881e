package import SettledInputs
package import SettledValues
package import SettledYAML

/// Makes layers of one scalar each: of secrets, and of variables of the environment.
package struct ScalarLayers {
  private let documents: Documents
  private let limits: YAMLLimits
  /// Makes an error of a sentence and a hint, where something asks for the layer.
  private let fault: (String, String?) -> Diagnostic

  package init(
    _ documents: Documents, limits: YAMLLimits,
    fault: @escaping (String, String?) -> Diagnostic
  ) {
    self.documents = documents
    self.limits = limits
    self.fault = fault
  }

  /// The layer of a secret: its text, without one line break at its end, is a string.
  package func secret(
    _ file: InputFile, origin: String, at keys: [String]
  ) throws(Refusal) -> Layer {
    var text = file.bytes
    if text.last == UInt8(ascii: "\n") { text.removeLast() }
    guard !text.isEmpty else {
      throw Refusal([fault("the secret '\(origin)' is empty", "write the secret into it")])
    }
    try check(text, of: "the secret '\(origin)'")
    return documents.layer(of: file, text: text, at: keys, origin: origin)
  }

  /// The layers of variables whose names start with `prefix`, each with one scalar.
  package func variables(_ files: [InputFile], after prefix: String) throws(Refusal) -> [Layer] {
    var faults: [Diagnostic] = []
    var layers: [Layer] = []
    var known: [(keys: [String], name: String)] = []
    for file in files {
      let name = String(file.path.dropFirst(InputSet.variable.count))
      do throws(Refusal) {
        let keys = try keys(of: name, after: prefix)
        if let other = known.first(where: { Self.clash($0.keys, keys) }) {
          throw Refusal([
            fault(
              "the variables '\(other.name)' and '\(name)' set one setting, or one below the other",
              "unset one of them")
          ])
        }
        known.append((keys, name))
        try check(file.bytes, of: "the variable '\(name)'")
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
    of name: String, after prefix: String
  ) throws(Refusal) -> [String] {
    let parts = Self.parts(Array(name.utf8.dropFirst(prefix.utf8.count)))
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw Refusal([
        fault(
          "the variable '\(name)' names no setting",
          "write '\(prefix)HTTP__PORT' for 'http.port'")
      ])
    }
    guard parts.count < limits.depth, parts.allSatisfy({ $0.utf8.count <= limits.keyLength }) else {
      throw Refusal([
        fault(
          "the variable '\(name)' is longer than the limits 'depth' or 'key_length' allow",
          nil)
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
  private func check(_ text: [UInt8], of thing: String) throws(Refusal) {
    guard text.count <= limits.scalarSize else {
      throw Refusal([
        fault(
          "\(thing) has \(text.count) bytes: the limit 'scalar_size' is \(limits.scalarSize)", nil)
      ])
    }
    guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
      throw Refusal([
        fault("\(thing) is no text in UTF-8", "encode it, for example as base64")
      ])
    }
  }
}
