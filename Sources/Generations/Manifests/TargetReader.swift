import SettledValues
import SettledYAML
import Targets

extension ManifestReader {
  private static let targetKeys = [
    "file", "follows", "template", "content", "value", "format", "mode", "owner",
    "make_directories", "check", "verify", "run", "reload", "restart", "signal", "timeout", "each",
    "as", "when", "required", "retry", "drift",
  ]
  private static let contentKeys = ["template", "content", "value"]
  private static let fileKeys =
    contentKeys + ["format", "mode", "owner", "make_directories", "check", "verify", "drift"]
  /// Keys whose issue is still to be built, refused so that nobody believes they work.
  private static let comingKeys = ["write"]

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
    var rule = TargetRule(name: entry.key, place: entry.keyPlace, node: entry.value)
    readWish(&rule, fields, of: thing, entry)
    readInstances(&rule, fields)
    rule.actions = actions(fields)
    if let node = fields["timeout"] { rule.timeout = read(node.duration) ?? rule.timeout }
    if let node = fields["required"] { rule.isRequired = read(node.bool) ?? true }
    if let node = fields["retry"] { rule.retries = retries(node) }
    if let node = fields["drift"] { rule.drift = word(node, "drift") ?? .report }
    return rule
  }

  private mutating func retries(_ node: YAMLNode) -> Int? {
    guard let number = read(node.int) else { return nil }
    guard (0...Int64(Self.retryLimit)).contains(number) else {
      findings.append(
        node.fault("'retry' must be from 0 to \(Self.retryLimit)", hint: "0 never tries again"))
      return nil
    }
    return Int(number)
  }

  /// How large `retry` can be.
  private static let retryLimit = 1000

  /// Reads one of several words.
  private mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ node: YAMLNode, _ key: String
  ) -> Word? {
    let words = Word.allCases.map(\.rawValue)
    if node.kind == .scalar, let word = Word(rawValue: node.text) { return word }
    let meant = node.kind == .scalar ? node.text.closest(among: words) : nil
    findings.append(
      node.fault(
        "'\(key)' must be one of: \(words.joined(separator: ", "))",
        hint: meant.map { "did you mean '\($0)'?" }))
    return nil
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
    case (let node?, nil): rule.file = file(node, fields, of: thing, entry)
    case (nil, let node?):
      rule.follows = expressionRule(node)
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
      makesDirectories: fields["make_directories"].flatMap { read($0.bool) } ?? false,
      owner: owner(fields), check: check, verify: verify)
  }

  private mutating func readInstances(_ rule: inout TargetRule, _ fields: Fields) {
    rule.each = fields["each"].flatMap { expressionRule($0) }
    rule.when = fields["when"].flatMap { expressionRule($0) }
    guard let node = fields["as"] else { return }
    if fields["each"] == nil { findings.append(node.fault("'as' goes with 'each' only")) }
    if Path.isIdentifier(node.text) {
      rule.alias = node.text
    } else {
      findings.append(node.fault("'as' must be a name: letters, digits and '_'"))
    }
  }

  private mutating func owner(_ fields: Fields) -> (text: String, node: YAMLNode)? {
    guard let node = fields["owner"], let text = fields.text("owner", findings: &findings) else {
      return nil
    }
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
    switch present[0] {
    case "template":
      return fields.text("template", findings: &findings).map { .template($0, node) }
    case "content": return template(node).map { .inline($0, node) }
    default: return value(node, fields, of: thing, entry)
    }
  }

  private mutating func value(
    _ node: YAMLNode, _ fields: Fields, of thing: String, _ entry: YAMLNode.Entry
  ) -> FileRule.Content? {
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
