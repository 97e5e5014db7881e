import SettledValues
import SettledYAML
import Targets
import Templates

extension ManifestReader {
  private static let contentKeys = ["template", "content", "value"]
  private static let fileKeys =
    contentKeys + ["format", "mode", "owner", "make_directories", "check", "verify", "drift"]
    + ["trim_blocks", "lstrip_blocks", "write"]

  private static let actionKeys = ["run", "reload", "restart", "signal"]

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
    guard let fields = Fields(entry.value) else { return nil }
    var rule = TargetRule(name: entry.key, place: entry.keyPlace, node: entry.value)
    readWish(&rule, fields, of: thing, entry)
    readInstances(&rule, fields)
    rule.actions = actions(fields)
    if let node = fields["timeout"] { rule.timeout = timeout(node) ?? rule.timeout }
    rule.isRequired = fields.flag("required") ?? true
    rule.retries = fields.integer("retry")
    rule.drift = fields.word("drift") ?? .report
    return rule
  }

  private mutating func timeout(_ node: YAMLNode) -> Duration? {
    guard let timeout = read(node.duration) else { return nil }
    guard timeout > .zero else {
      findings.append(node.fault("'timeout' must be longer than 0s"))
      return nil
    }
    return timeout
  }

  private static func isTargetName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }

  /// Reads what the target wants: a file, or to follow a value.
  private mutating func readWish(
    _ rule: inout TargetRule, _ fields: Fields, of thing: String, _ entry: YAMLNode.Entry
  ) {
    switch (fields["file"], fields["follows"]) {
    case (let node?, nil):
      if node.text.hasSuffix("/") {
        findings.append(node.fault("'file' of \(thing) names a directory"))
      }
      rule.file = file(node, fields, of: thing, entry)
    case (nil, let node?):
      rule.follows = expressionRule(node)
      if fields.present(Self.actionKeys).isEmpty {
        findings.append(
          fault(
            "\(thing) follows a value, and does nothing", at: entry,
            hint: "give it one of: " + Self.actionKeys.joined(separator: ", ")))
      }
      for key in fields.present(Self.fileKeys) {
        guard let node = fields[key] else { continue }
        findings.append(node.fault("'\(key)' goes with 'file', and \(thing) follows a value"))
      }
    case (let node?, _?): findings.append(node.fault("\(thing) has 'file' and 'follows'"))
    case (nil, nil): findings.append(fault("\(thing) has no 'file' and no 'follows'", at: entry))
    }
  }

  private mutating func file(
    _ node: YAMLNode, _ fields: Fields, of thing: String, _ entry: YAMLNode.Entry
  ) -> FileRule? {
    let mode = mode(fields)
    let (check, verify) = (command("check", fields), command("verify", fields))
    guard let content = content(fields, of: thing, entry), let path = interpolation(node) else {
      return nil
    }
    return FileRule(
      path: path, node: node, content: content, mode: mode,
      makesDirectories: fields.flag("make_directories") ?? false,
      owner: owner(fields), write: fields.word("write") ?? .replace, check: check, verify: verify)
  }

  private mutating func readInstances(_ rule: inout TargetRule, _ fields: Fields) {
    rule.each = fields["each"].flatMap { expressionRule($0) }
    rule.when = fields["when"].flatMap { expressionRule($0) }
    guard let node = fields["as"] else { return }
    if fields["each"] == nil { findings.append(node.fault("'as' goes with 'each' only")) }
    if [Program.settingsName, Program.factsName, "true", "false", "null", "in"].contains(node.text)
    {
      findings.append(node.fault("'\(node.text)' has another meaning in expressions"))
    } else if Path.isIdentifier(node.text) {
      rule.alias = node.text
    } else {
      findings.append(node.fault("'as' must be a name: letters, digits and '_'"))
    }
  }

  private mutating func owner(_ fields: Fields) -> (text: String, node: YAMLNode)? {
    guard let node = fields["owner"], let text = fields.text("owner") else { return nil }
    return (text, node)
  }

  private mutating func content(
    _ fields: Fields, of thing: String, _ entry: YAMLNode.Entry
  ) -> FileRule.Content? {
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
    let options = templateOptions(fields, isTemplate: present[0] != "value")
    switch present[0] {
    case "template":
      return fields.text("template").map {
        .template(TemplateRule(path: $0, options: options), node)
      }
    case "content": return template(node, options).map { .inline($0, node) }
    default: return value(node, fields, of: thing, entry)
    }
  }

  /// Reads how white space around tags is treated.
  private mutating func templateOptions(_ fields: Fields, isTemplate: Bool) -> TemplateOptions {
    var options = TemplateOptions()
    // The line break at the end of a template is one of the file that is made from it.
    options.keepTrailingNewline = true
    options.trimBlocks = templateOption("trim_blocks", fields, isTemplate: isTemplate)
    options.lstripBlocks = templateOption("lstrip_blocks", fields, isTemplate: isTemplate)
    return options
  }

  private mutating func templateOption(
    _ key: String, _ fields: Fields, isTemplate: Bool
  ) -> Bool {
    guard let node = fields[key] else { return false }
    guard isTemplate else {
      findings.append(node.fault("'\(key)' goes with 'template' or 'content' only"))
      return false
    }
    return fields.flag(key) ?? false
  }

  private mutating func value(
    _ node: YAMLNode, _ fields: Fields, of thing: String, _ entry: YAMLNode.Entry
  ) -> FileRule.Content? {
    guard fields["format"] != nil else {
      findings.append(
        fault("\(thing) has a 'value' but no 'format'", at: entry, hint: Self.formatHint))
      return nil
    }
    guard let expression = expression(node), let format: Format = fields.word("format") else {
      return nil
    }
    return .value(expression, format, node)
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
