internal import CLibYAML
internal import SettledValues

/// Builds the table of nodes from libyaml's events, by the rules for settings files.
///
/// A struct with mutating methods: closures over captured variables cost 14 % in checks of
/// exclusive access.
struct Composer {
  let source: Source
  let limits: YAMLLimits
  /// Whether text may be a part of the source: only where a code point is a byte.
  let isASCII: Bool
  var findings: Findings
  var tree = Tree()
  var frame = Frame()
  var stack: [Frame] = []
  var anchors: [Anchor] = []
  var anchorNames: [String: Int] = [:]
  var cursor: ByteCursor
  /// The nodes read so far, with each alias counted as what it stands for.
  var expanded = 0
  /// The levels of a map or list that stands where a key must, and is passed over.
  var skipped = 0
  /// For each interned key the last map, by number, that was found to have it.
  var lastMap: [UInt32] = []
  var mapNumber: UInt32 = 0
  private var documents = 0
  private var endsInBlockScalar = false

  init(_ findings: Findings, limits: YAMLLimits, isASCII: Bool) {
    source = findings.source
    self.findings = findings
    self.limits = limits
    self.isASCII = isASCII
    cursor = ByteCursor(source, isASCII: isASCII)
    tree.nodes.reserveCapacity(source.bytes.count / 12)
    if !isASCII { tree.side.reserveCapacity(source.bytes.count) }
  }

  /// Takes one event; false when reading is to end.
  mutating func take(_ event: UnsafePointer<yaml_event_t>) -> Bool {
    switch event.pointee.type {
    case YAML_SCALAR_EVENT: scalar(event)
    case YAML_ALIAS_EVENT: return alias(event)
    case YAML_MAPPING_START_EVENT, YAML_SEQUENCE_START_EVENT: return open(event)
    case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: close()
    case YAML_DOCUMENT_START_EVENT: return startDocument(event)
    case YAML_DOCUMENT_END_EVENT: return endDocument(event)
    case YAML_STREAM_END_EVENT: return false
    default: break
    }
    return !findings.isFull
  }

  /// Looks at what was left open when reading ended early, and at the file's end.
  mutating func finish() {
    while !stack.isEmpty {
      if frame.isMap { reportDuplicates() }
      frame = stack.removeLast()
    }
    if endsInBlockScalar, let last = source.bytes.last, last != UInt8(ascii: "\n") {
      findings.warn(
        "the file ends inside a block of text without a line break",
        at: source.place(ofByte: source.bytes.count),
        hint: "it may have been cut off; end the last line")
    }
  }

  private mutating func startDocument(_ event: UnsafePointer<yaml_event_t>) -> Bool {
    let mark = event.pointee.start_mark
    documents += 1
    guard documents == 1 else {
      findings.add(
        "a settings file holds one document", at: place(mark), length: 3,
        hint: "delete this line, or move what follows into a file of its own")
      return false
    }
    if let version = event.pointee.data.document_start.version_directive?.pointee,
      version.minor == 1
    {
      findings.warn(
        "'%YAML 1.1' is read by the rules of YAML 1.2", at: place(mark), length: 9,
        hint: "delete the line")
    }
    return true
  }

  private mutating func endDocument(_ event: UnsafePointer<yaml_event_t>) -> Bool {
    let end = cursor.offset(of: event.pointee.end_mark.index, in: source)
    return !Directives.report(after: end, isFirst: false, &findings)
  }

  private mutating func scalar(_ event: UnsafePointer<yaml_event_t>) {
    guard skipped == 0 else { return }
    let scalar = event.pointee.data.scalar
    endsInBlockScalar = scalar.style.rawValue > 3
    if frame.isMap, frame.expects == .key { return key(event) }
    let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    var record = record(of: event, text)
    if scalar.tag == nil {
      if record.style == .plain {
        record.scalarClass = ScalarClass(plain: text)
        if text.isEmpty { record.flags.insert(.isEmpty) }
        if frame.isFlow { checkQuestionMark(event) }
      }
    } else {
      assert(event, text, &record)
    }
    if text.count > limits.scalarSize { reportScalarSize(event, text.count) }
    let index = attach(&record)
    note(record, index)
    if scalar.anchor != nil {
      declare(scalar.anchor, at: event.pointee.start_mark, node: index)
    }
  }

  /// Remembers what settings without a schema warn of or refuse.
  private mutating func note(_ record: NodeRecord, _ index: UInt32) {
    switch record.scalarClass {
    case .string, .integer, .float, .yes, .no: return
    case .null:
      if frame.isMap { frame.flags.insert(.hasNull) }
      if record.flags.contains(.isEmpty) { tree.emptyScalars.append(index) }
    default:
      if record.scalarClass.isOdd { tree.oddScalars.append(index) }
    }
  }

  /// A record for a scalar event, with its text kept.
  private mutating func record(
    of event: UnsafePointer<yaml_event_t>, _ text: UnsafeBufferPointer<UInt8>
  ) -> NodeRecord {
    let start = event.pointee.start_mark
    var record = NodeRecord(
      kind: .scalar, style: YAMLNode.Style(event.pointee.data.scalar.style),
      line: UInt32(truncatingIfNeeded: start.line),
      column: UInt32(truncatingIfNeeded: start.column))
    record.count = UInt32(truncatingIfNeeded: text.count)
    if isASCII, start.line == event.pointee.end_mark.line,
      let slice = source.slice(text, record.style, to: event.pointee.end_mark.index)
    {
      record.start = slice
    } else {
      record.start = tree.keep(text)
      record.flags.insert(.isAside)
    }
    return record
  }

  private mutating func open(_ event: UnsafePointer<yaml_event_t>) -> Bool {
    if skipped > 0 {
      skipped += 1
      return skipped + stack.count <= limits.depth || reportDepth(event.pointee.start_mark)
    }
    if frame.isMap, frame.expects == .key {
      reportContainerKey(event)
      skipped = 1
      return !findings.isFull
    }
    guard stack.count < limits.depth else { return reportDepth(event.pointee.start_mark) }
    let isMap = event.pointee.type == YAML_MAPPING_START_EVENT
    let mark = event.pointee.start_mark
    let isFlow =
      isMap
      ? event.pointee.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
      : event.pointee.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
    var record = NodeRecord(
      kind: isMap ? .map : .list, style: isFlow ? .flow : .block,
      line: UInt32(truncatingIfNeeded: mark.line), column: UInt32(truncatingIfNeeded: mark.column))
    let before = expanded
    let index = attach(&record)
    stack.append(frame)
    frame = Frame(
      node: index, isMap: isMap, isFlow: isFlow, expects: isMap ? .key : .value,
      expandedBefore: before)
    properties(event, isMap: isMap, node: index)
    return !findings.isFull
  }

  /// The tag and anchor of a map or list.
  private mutating func properties(
    _ event: UnsafePointer<yaml_event_t>, isMap: Bool, node: UInt32
  ) {
    let (tag, anchor) =
      isMap
      ? (event.pointee.data.mapping_start.tag, event.pointee.data.mapping_start.anchor)
      : (event.pointee.data.sequence_start.tag, event.pointee.data.sequence_start.anchor)
    if let tag { assertContainer(tag, isMap: isMap, at: event.pointee.start_mark) }
    if anchor != nil {
      declare(anchor, at: event.pointee.start_mark, node: node, isOpen: true)
      frame.anchor = anchors.count - 1
    }
  }

  private mutating func close() {
    if skipped > 0 {
      skipped -= 1
      if skipped == 0 { takeKey(NodeRecord.none, yaml_mark_t()) }
      return
    }
    if frame.isMap {
      reportDuplicates()
      if frame.flags.contains(.isMerge) { mergeEntries() }
      if frame.flags.contains(.hasNull) { tree.nodes[Int(frame.node)].flags.insert(.hasNull) }
    }
    tree.finish(
      frame.node, first: frame.first, count: frame.count, isIndexed: !findings.hasErrors)
    let height = frame.height + 1
    if let anchor = frame.anchor {
      anchors[anchor].isOpen = false
      anchors[anchor].size = expanded - frame.expandedBefore
      anchors[anchor].height = height
    }
    frame = stack.removeLast()
    frame.height = max(frame.height, height)
  }

  /// Adds a record as the next child of the open map or list.
  mutating func attach(_ record: inout NodeRecord) -> UInt32 {
    let index = UInt32(truncatingIfNeeded: tree.nodes.count)
    if frame.isMap {
      record.key = frame.key
      record.keyLine = frame.keyLine
      record.keyColumn = frame.keyColumn
      record.flags.formUnion(frame.keyFlags)
      frame.keyFlags = []
      frame.expects = .key
    }
    tree.nodes.append(record)
    if frame.last == NodeRecord.none {
      frame.first = index
    } else {
      tree.nodes[Int(frame.last)].next = index
    }
    frame.last = index
    frame.count += 1
    expanded += 1
    if stack.isEmpty { tree.root = index }
    return index
  }

  func place(_ mark: yaml_mark_t) -> Place {
    source.place(
      line: UInt32(truncatingIfNeeded: mark.line), column: UInt32(truncatingIfNeeded: mark.column))
  }
}

extension Source {
  /// Where the source holds the text of a scalar of one line just as it is, in ASCII, or nil where it
  /// does not.
  fileprivate func slice(
    _ text: UnsafeBufferPointer<UInt8>, _ style: YAMLNode.Style, to mark: Int
  ) -> UInt32? {
    let end = start + mark
    switch style {
    case .plain: return UInt32(truncatingIfNeeded: end - text.count)
    case .singleQuoted, .doubleQuoted:
      let start = end - 1 - text.count
      guard start > self.start, end <= bytes.count, bytes[start - 1] == bytes[end - 1] else {
        return nil
      }
      for position in text.indices where bytes[start + position] != text[position] { return nil }
      return UInt32(truncatingIfNeeded: start)
    default: return nil
    }
  }
}

extension YAMLNode.Style {
  init(_ style: yaml_scalar_style_t) {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: self = .literal
    case YAML_FOLDED_SCALAR_STYLE: self = .folded
    default: self = .plain
    }
  }
}
