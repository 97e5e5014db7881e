import CLibYAML

/// libyaml alone: the limit that the reader is measured against.
enum BareEvents {
  /// Reads all events of a file and deletes them; gives their number.
  static func count(in bytes: [UInt8]) -> Int {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    let event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
    defer {
      parser.deallocate()
      event.deallocate()
    }
    guard yaml_parser_initialize(parser) == 1 else { return 0 }
    defer { yaml_parser_delete(parser) }
    return bytes.withUnsafeBufferPointer { buffer in
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      var count = 0
      while yaml_parser_parse(parser, event) == 1 {
        let type = event.pointee.type
        yaml_event_delete(event)
        count += 1
        if type == YAML_STREAM_END_EVENT { break }
      }
      return count
    }
  }
}
