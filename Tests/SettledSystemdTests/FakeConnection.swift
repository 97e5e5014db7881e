import CSystemd
import Glibc

/// A call that a client made.
struct FakeCall {
  var path: String
  var interface: String
  var member: String
  /// Its strings and numbers.
  var arguments: [String]
}

/// What a server answers.
enum FakeAnswer {
  case nothing
  case silence
  case hangUp
  case text(String)
  case path(String)
  case error(String)
  case jobs([UInt32])
  case properties([String: FakeProperty])
  /// A job of a unit, and if it ends its result.
  case job(UInt32, String, String?)
  case jobThenHangUp(UInt32)
}

/// The server's end of one D-Bus connection.
final class FakeConnection {
  private let bus: OpaquePointer

  /// Takes over a connected socket.
  init?(_ descriptor: Int32) {
    var bus: OpaquePointer?
    guard sd_bus_new(&bus) >= 0, let bus else { return nil }
    self.bus = bus
    guard sd_bus_set_fd(bus, descriptor, descriptor) >= 0,
      sd_bus_set_server(bus, 1, sd_id128_t()) >= 0, sd_bus_start(bus) >= 0
    else { return nil }
  }

  deinit { sd_bus_flush_close_unref(bus) }

  /// Answers calls until the client or an answer ends it.
  func serve(_ answer: (FakeCall) -> FakeAnswer) {
    while true {
      var message: OpaquePointer?
      let status = sd_bus_process(bus, &message)
      guard status >= 0 else { return }
      guard let message else {
        if status == 0 { sd_bus_wait(bus, 100_000) }
        continue
      }
      defer { sd_bus_message_unref(message) }
      var type: UInt8 = 0
      sd_bus_message_get_type(message, &type)
      guard type == 1 else { continue }
      guard reply(to: message, answer(Self.call(message))) else { return }
    }
  }

  private static func call(_ message: OpaquePointer) -> FakeCall {
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    var call = FakeCall(
      path: text(sd_bus_message_get_path(message)),
      interface: text(sd_bus_message_get_interface(message)),
      member: text(sd_bus_message_get_member(message)), arguments: [])
    var type: CChar = 0
    while sd_bus_message_peek_type(message, &type, nil) > 0 {
      if type == code("s") {
        var value: UnsafePointer<CChar>?
        sd_bus_message_read_basic(message, type, &value)
        call.arguments.append(text(value))
      } else {
        var value: Int32 = 0
        guard sd_bus_message_read_basic(message, type, &value) > 0 else { break }
        call.arguments.append(String(value))
      }
    }
    return call
  }

  /// False to end the connection.
  private func reply(to call: OpaquePointer, _ answer: FakeAnswer) -> Bool {
    switch answer {
    case .hangUp: return false
    case .silence: return true
    case .error(let name): send(error(name, to: call))
    case .job(let number, let unit, let result):
      send(filled(to: call) { append($0, "o", "/job/\(number)") })
      if let result { send(removed(number, unit, result)) }
    case .jobThenHangUp(let number):
      send(filled(to: call) { append($0, "o", "/job/\(number)") })
      sd_bus_flush(bus)
      return false
    default: send(filled(to: call) { fill($0, answer) })
    }
    return true
  }

  private func fill(_ message: OpaquePointer, _ answer: FakeAnswer) {
    switch answer {
    case .text(let text): append(message, "s", text)
    case .path(let path): append(message, "o", path)
    case .jobs(let numbers):
      within(message, "a", "(usssoo)") {
        for number in numbers {
          within(message, "r", "usssoo") {
            append(message, number)
            for text in ["x.service", "start", "waiting"] { append(message, "s", text) }
            for path in ["/job/\(number)", "/unit/x"] { append(message, "o", path) }
          }
        }
      }
    case .properties(let properties):
      within(message, "a", "{sv}") {
        for (name, value) in properties {
          within(message, "e", "sv") {
            append(message, "s", name)
            append(message, value)
          }
        }
      }
    default: break
    }
  }

  private func append(_ message: OpaquePointer, _ value: FakeProperty) {
    switch value {
    case .text(let text): within(message, "v", "s") { append(message, "s", text) }
    case .number(let number): within(message, "v", "u") { append(message, number) }
    case .flag(let flag):
      within(message, "v", "b") {
        var flag: Int32 = flag ? 1 : 0
        sd_bus_message_append_basic(message, code("b"), &flag)
      }
    case .texts(let texts):
      within(message, "v", "as") {
        within(message, "a", "s") { for text in texts { append(message, "s", text) } }
      }
    case .bytes(let bytes):
      within(message, "v", "ay") {
        _ = sd_bus_message_append_array(message, code("y"), bytes, bytes.count)
      }
    case .job(let number):
      within(message, "v", "(uo)") {
        within(message, "r", "uo") {
          append(message, number)
          append(message, "o", number == 0 ? "/" : "/job/\(number)")
        }
      }
    }
  }

  private func within(
    _ message: OpaquePointer, _ type: Unicode.Scalar, _ contents: String, _ body: () -> Void
  ) {
    sd_bus_message_open_container(message, code(type), contents)
    body()
    sd_bus_message_close_container(message)
  }

  private func append(_ message: OpaquePointer, _ type: Unicode.Scalar, _ text: String) {
    sd_bus_message_append_basic(message, code(type), text)
  }

  private func append(_ message: OpaquePointer, _ number: UInt32) {
    var number = number
    sd_bus_message_append_basic(message, code("u"), &number)
  }

  private func filled(to call: OpaquePointer, _ fill: (OpaquePointer) -> Void) -> OpaquePointer? {
    var message: OpaquePointer?
    sd_bus_message_new_method_return(call, &message)
    if let message { fill(message) }
    return message
  }

  private func error(_ name: String, to call: OpaquePointer) -> OpaquePointer? {
    var message: OpaquePointer?
    var error = sd_bus_error()
    sd_bus_error_set(&error, name, "as scripted")
    sd_bus_message_new_method_error(call, &message, &error)
    sd_bus_error_free(&error)
    return message
  }

  private func removed(_ number: UInt32, _ unit: String, _ result: String) -> OpaquePointer? {
    var message: OpaquePointer?
    sd_bus_message_new_signal(
      bus, &message, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "JobRemoved")
    guard let message else { return nil }
    append(message, number)
    append(message, "o", "/job/\(number)")
    append(message, "s", unit)
    append(message, "s", result)
    return message
  }

  private func send(_ message: OpaquePointer?) {
    sd_bus_send(bus, message, nil)
    sd_bus_message_unref(message)
  }
}

private func code(_ letter: Unicode.Scalar) -> CChar {
  CChar(truncatingIfNeeded: letter.value)
}
