internal import CLibYAML

/// libyaml's events in the notation of the YAML test suite, before any rule of settings files.
public enum EventDump {
  /// The events of `bytes` up to the end or a fault, one a line, and whether there was a fault.
  public static func lines(of bytes: [UInt8]) -> (lines: [String], hasFault: Bool) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    guard !text.isEmpty else { return (["+STR", "-STR"], false) }
    return text.withUnsafeBufferPointer { buffer in
      guard let stream = EventStream(buffer) else { return ([], true) }
      var lines: [String] = []
      while stream.next() {
        let type = stream.event.pointee.type
        if type == YAML_NO_EVENT { break }
        lines.append(line(stream.event))
        if type == YAML_STREAM_END_EVENT { return (lines, false) }
      }
      return (lines, true)
    }
  }

  private static func line(_ event: UnsafePointer<yaml_event_t>) -> String {
    switch event.pointee.type {
    case YAML_STREAM_START_EVENT: return "+STR"
    case YAML_STREAM_END_EVENT: return "-STR"
    case YAML_DOCUMENT_START_EVENT:
      return event.pointee.data.document_start.implicit == 1 ? "+DOC" : "+DOC ---"
    case YAML_DOCUMENT_END_EVENT:
      return event.pointee.data.document_end.implicit == 1 ? "-DOC" : "-DOC ..."
    case YAML_MAPPING_START_EVENT:
      let start = event.pointee.data.mapping_start
      return "+MAP" + (start.style == YAML_FLOW_MAPPING_STYLE ? " {}" : "")
        + properties(start.anchor, start.tag)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.pointee.data.sequence_start
      return "+SEQ" + (start.style == YAML_FLOW_SEQUENCE_STYLE ? " []" : "")
        + properties(start.anchor, start.tag)
    case YAML_MAPPING_END_EVENT: return "-MAP"
    case YAML_SEQUENCE_END_EVENT: return "-SEQ"
    case YAML_ALIAS_EVENT:
      return "=ALI *" + (event.pointee.data.alias.anchor.map { String(cString: $0) } ?? "")
    default: return scalar(event)
    }
  }

  private static func scalar(_ event: UnsafePointer<yaml_event_t>) -> String {
    let scalar = event.pointee.data.scalar
    let sigil: String
    switch scalar.style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: sigil = "'"
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: sigil = "\""
    case YAML_LITERAL_SCALAR_STYLE: sigil = "|"
    case YAML_FOLDED_SCALAR_STYLE: sigil = ">"
    default: sigil = ":"
    }
    let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    return "=VAL" + properties(scalar.anchor, scalar.tag) + " " + sigil + escaped(text)
  }

  private static func properties(
    _ anchor: UnsafePointer<UInt8>?, _ tag: UnsafePointer<UInt8>?
  ) -> String {
    (anchor.map { " &" + String(cString: $0) } ?? "")
      + (tag.map { " <" + String(cString: $0) + ">" } ?? "")
  }

  private static func escaped(_ text: UnsafeBufferPointer<UInt8>) -> String {
    var escaped: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "\\"): escaped += "\\\\".utf8
      case UInt8(ascii: "\n"): escaped += "\\n".utf8
      case UInt8(ascii: "\r"): escaped += "\\r".utf8
      case UInt8(ascii: "\t"): escaped += "\\t".utf8
      case 0: escaped += "\\0".utf8
      case 8: escaped += "\\b".utf8
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
