internal import CLibYAML
internal import SettledValues

/// Keys: what may be one, and that each stands once in its map.
extension Composer {
  /// Takes a scalar as the key of the next entry.
  mutating func key(_ event: UnsafePointer<yaml_event_t>) {
    let text = UnsafeBufferPointer(
      start: event.pointee.data.scalar.value, count: event.pointee.data.scalar.length)
    let mark = event.pointee.start_mark
    checkKey(event, text)
    if let anchor = event.pointee.data.scalar.anchor {
      var record = NodeRecord(
        kind: .scalar, style: YAMLNode.Style(event.pointee.data.scalar.style),
        line: UInt32(truncatingIfNeeded: mark.line),
        column: UInt32(truncatingIfNeeded: mark.column))
      record.start = tree.keep(text)
      record.flags = .isAside
      record.count = UInt32(truncatingIfNeeded: text.count)
      if record.style == .plain { record.scalarClass = ScalarClass(plain: text) }
      tree.nodes.append(record)
      declare(anchor, at: mark, node: UInt32(truncatingIfNeeded: tree.nodes.count - 1))
    }
    let isPlain = event.pointee.data.scalar.style == YAML_PLAIN_SCALAR_STYLE
    if isPlain, text.count == 2, text[0] == UInt8(ascii: "<"), text[1] == UInt8(ascii: "<"),
      event.pointee.data.scalar.tag == nil
    {
      frame.keyFlags = .isMerge
      frame.flags.insert(.isMerge)
    }
    takeKey(tree.keys.intern(text), mark)
  }

  /// Makes `key` the key of the next entry; `none` for what is refused as a key.
  mutating func takeKey(_ key: UInt32, _ mark: yaml_mark_t) {
    if key != NodeRecord.none, key >= lastMap.count { lastMap.append(0) }
    frame.key = key
    frame.keyLine = UInt32(truncatingIfNeeded: mark.line)
    frame.keyColumn = UInt32(truncatingIfNeeded: mark.column)
    frame.expects = .value
  }

  private mutating func checkKey(
    _ event: UnsafePointer<yaml_event_t>, _ text: UnsafeBufferPointer<UInt8>
  ) {
    let mark = event.pointee.start_mark
    let style = event.pointee.data.scalar.style
    if event.pointee.data.scalar.tag != nil {
      var record = NodeRecord(kind: .scalar, style: YAMLNode.Style(style), line: 0, column: 0)
      assert(event, text, &record)
    }
    if style == YAML_PLAIN_SCALAR_STYLE {
      if text.isEmpty {
        findings.add("no key before the ':'", at: place(mark))
      } else if text.count <= 4, event.pointee.data.scalar.tag == nil,
        ScalarClass(plain: text) == .null
      {
        let key = String(decoding: text, as: UTF8.self)
        findings.add(
          "'\(key)' as a key", at: place(mark), length: text.count, hint: "quote it: \"\(key)\"")
      }
      if frame.isFlow { checkQuestionMark(event) }
    } else if style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE {
      findings.add("a block of text as a key", at: place(mark))
    }
    if text.count > limits.keyLength {
      let length = text.reduce(0) { $0 + (Source.continues($1) ? 0 : 1) }
      if length > limits.keyLength {
        findings.add(
          "a key of \(length) characters: the limit 'key_length' is \(limits.keyLength)",
          at: place(mark))
      }
    }
    if !isASCII, let first = text.first, first >= 0x80 { checkFirstCharacter(text, mark) }
  }

  /// Warns of keys that start with something nobody can see.
  private mutating func checkFirstCharacter(
    _ text: UnsafeBufferPointer<UInt8>, _ mark: yaml_mark_t
  ) {
    guard let first = String(decoding: text.prefix(4), as: UTF8.self).unicodeScalars.first,
      first.properties.isWhitespace || (0x200B...0x200D).contains(first.value)
        || first.value == 0x2060
    else { return }
    let code = String(first.value, radix: 16, uppercase: true)
    findings.warn(
      "the key starts with the invisible character U+\(code)", at: place(mark),
      hint: "delete it, or indent with spaces")
  }

  mutating func reportContainerKey(_ event: UnsafePointer<yaml_event_t>) {
    let mark = event.pointee.start_mark
    let isMap = event.pointee.type == YAML_MAPPING_START_EVENT
    let offset = cursor.offset(of: mark.index, in: source)
    let isTemplate =
      isMap && source.byte(offset) == UInt8(ascii: "{")
      && (source.byte(offset - 1) == UInt8(ascii: "{")
        || source.byte(offset + 1) == UInt8(ascii: "{"))
    findings.add(
      "a \(isMap ? "map" : "list") as a key", at: place(mark),
      hint: isTemplate ? "it looks like a template; quote it: \"{{ … }}\"" : "keys are text")
  }

  /// Refuses keys that stand twice in the open map.
  ///
  /// It looks at the end of a map: maps inside of it have the same keys in between.
  mutating func reportDuplicates() {
    mapNumber += 1
    var child = frame.first
    while child != NodeRecord.none {
      let key = Int(tree.nodes[Int(child)].key)
      if key != Int(NodeRecord.none) {
        if lastMap[key] == mapNumber { reportDuplicate(child) } else { lastMap[key] = mapNumber }
      }
      child = tree.nodes[Int(child)].next
    }
    if !isASCII { reportLookalikes() }
  }

  private mutating func reportDuplicate(_ child: UInt32) {
    let second = tree.nodes[Int(child)]
    var first = frame.first
    while tree.nodes[Int(first)].key != second.key { first = tree.nodes[Int(first)].next }
    let text = keyText(second.key)
    var hint: String?
    if second.flags.contains(.isMerge) {
      hint = "write one: '<<: [*a, *b]'"
    } else if first == frame.first, stack.count > 1, !frame.isFlow {
      hint = "is the '-' of a list item missing?"
    }
    findings.add(
      "'\(text)' is set twice", at: source.place(line: second.keyLine, column: second.keyColumn),
      length: text.unicodeScalars.count, hint: hint,
      notes: [note("first set here", tree.nodes[Int(first)])])
  }

  /// Warns of two keys that look the same and are not: canonically equivalent, different bytes.
  private mutating func reportLookalikes() {
    var seen: [String: UInt32] = [:]
    var child = frame.first
    while child != NodeRecord.none {
      let record = tree.nodes[Int(child)]
      child = record.next
      guard record.key != NodeRecord.none, !tree.keys.isASCII(record.key) else { continue }
      let text = keyText(record.key)
      guard let other = seen.updateValue(record.key, forKey: text), other != record.key else {
        continue
      }
      findings.warn(
        "'\(text)' is written with other code points than a key that looks the same",
        at: source.place(line: record.keyLine, column: record.keyColumn),
        length: text.unicodeScalars.count)
    }
  }

  func keyText(_ key: UInt32) -> String {
    tree.keys.withBytes(of: key) { String(decoding: $0, as: UTF8.self) }
  }

  private func note(_ message: String, _ record: NodeRecord) -> Diagnostic.Note {
    Diagnostic.Note(message, at: source.place(line: record.keyLine, column: record.keyColumn))
  }
}
