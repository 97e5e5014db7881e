internal import CLibYAML

/// The events of libyaml's parser over bytes that outlive it.
///
/// The parser stores its own address, so it stands on the heap. After an error or the end of the
/// stream libyaml answers with empty events for ever: `next` is not to be called again.
struct EventStream: ~Copyable {
  let parser: UnsafeMutablePointer<yaml_parser_t>
  let event: UnsafeMutablePointer<yaml_event_t>

  /// Creates a stream, or nil where there is no memory for it.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    parser = .allocate(capacity: 1)
    event = .allocate(capacity: 1)
    event.initialize(to: yaml_event_t())
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      event.deallocate()
      return nil
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  /// Reads the next event into `event`; false at a fault, which is then in `parser`.
  func next() -> Bool {
    yaml_event_delete(event)
    return yaml_parser_parse(parser, event) == 1
  }

  deinit {
    yaml_event_delete(event)
    yaml_parser_delete(parser)
    event.deallocate()
    parser.deallocate()
  }
}
