import SettledValues
import SettledYAML
import Targets

extension ManifestReader {
  private static let targetKeys = [
    "file", "template", "content", "value", "format", "mode", "owner", "make_directories",
  ]
  private static let contentKeys = ["template", "content", "value"]
  /// Keys whose issue is still to be built, refused so that nobody believes they work.
  private static let comingKeys = [
    "check", "verify", "run", "reload", "restart", "signal", "timeout", "each", "as", "when",
    "required", "retry", "drift", "write", "follows",
  ]

  /// Reads one target.
  mutating func target(_ entry: YAMLNode.Entry) -> TargetRule? {
    guard Self.isTargetName(entry.key) else {
      findings.append(
        fault(
          "'\(entry.key)' cannot name a target", at: entry,
          hint: "use lower-case letters, digits and '-'"))
      return nil
    }
    let thing = "target '\(entry.key)'"
    let known = Self.targetKeys + Self.comingKeys
    guard let fields = Fields(entry.value, of: thing, known: known, findings: &findings) else {
      return nil
    }
    for key in Self.comingKeys {
      if let node = fields[key] { findings.append(node.fault("'\(key)' is not built yet")) }
    }
    guard let fileNode = fields["file"] else {
      findings.append(fault("\(thing) has no 'file'", at: entry))
      return nil
    }
    let mode = mode(fields)
    guard let content = content(fields, of: thing, entry), let file = interpolation(fileNode) else {
      return nil
    }
    return TargetRule(
      name: entry.key, place: entry.keyPlace, file: file, fileNode: fileNode, content: content,
      mode: mode, makesDirectories: flag("make_directories", fields), owner: owner(fields))
  }

  private mutating func owner(_ fields: Fields) -> (text: String, node: YAMLNode)? {
    guard let node = fields["owner"], let text = fields.text("owner", findings: &findings) else {
      return nil
    }
    return (text, node)
  }

  private mutating func flag(_ key: String, _ fields: Fields) -> Bool {
    guard let node = fields[key] else { return false }
    do {
      return try node.bool()
    } catch {
      findings += error.diagnostics
      return false
    }
  }

  private static func isTargetName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }

  private mutating func content(
    _ fields: Fields, of thing: String, _ entry: YAMLNode.Entry
  ) -> TargetRule.Content? {
    let present = fields.present(Self.contentKeys)
    guard present.count == 1, let node = fields[present[0]] else {
      let message =
        present.isEmpty
        ? "\(thing) has no content"
        : "\(thing) has more than one content: " + present.joined(separator: ", ")
      findings.append(
        fault(message, at: entry, hint: "give it one of: template, content, value"))
      return nil
    }
    if present[0] != "value", let format = fields["format"] {
      findings.append(format.fault("'format' goes with 'value' only"))
    }
    switch present[0] {
    case "template":
      return fields.text("template", findings: &findings).map { .template($0, node) }
    case "content": return template(node).map { .inline($0, node) }
    default: return value(node, fields, of: thing, entry)
    }
  }

  private mutating func value(
    _ node: YAMLNode, _ fields: Fields, of thing: String, _ entry: YAMLNode.Entry
  ) -> TargetRule.Content? {
    guard let formatNode = fields["format"] else {
      findings.append(
        fault("\(thing) has a 'value' but no 'format'", at: entry, hint: Self.formatHint))
      return nil
    }
    guard let format = Format(rawValue: formatNode.text) else {
      let name = formatNode.text
      let meant = name.closest(among: Format.allCases.map(\.rawValue))
      findings.append(
        formatNode.fault(
          "there is no format '\(name)'",
          hint: meant.map { "did you mean '\($0)'?" } ?? Self.formatHint))
      return nil
    }
    return expression(node).map { .value($0, format, node) }
  }

  private static let formatHint =
    "the formats are: " + Format.allCases.map(\.rawValue).joined(separator: ", ")

  /// Reads permission bits: octal digits with a leading zero, as chmod(1) takes them.
  private mutating func mode(_ fields: Fields) -> UInt32? {
    guard let node = fields["mode"] else { return nil }
    let text = node.text
    let digits = text.hasPrefix("0o") ? text.dropFirst(2) : text.dropFirst()
    guard node.kind == .scalar, text.hasPrefix("0"), let mode = UInt32(digits, radix: 8),
      mode <= 0o7777
    else {
      findings.append(
        node.fault(
          "'mode' must be octal digits with a leading zero", hint: "write it as \"0644\""))
      return nil
    }
    return mode
  }
}
