internal import CSystemd

/// A D-Bus message, read and written without the C library's variable arguments.
///
/// Reading goes forward through the body; what is not of the expected type reads as nil.
final class BusMessage {
  /// The libsystemd message; kept alive by this object.
  let handle: OpaquePointer

  /// Takes over a reference.
  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  deinit { sd_bus_message_unref(handle) }

  /// An argument of a call.
  enum Argument {
    case string(String)
    case int32(Int32)
    case uint32(UInt32)
  }

  /// Appends to the body; 0 or a negative errno.
  func append(_ argument: Argument) -> Int32 {
    switch argument {
    case .string(let text):
      return sd_bus_message_append_basic(handle, Code.string, text)
    case .int32(var number):
      return sd_bus_message_append_basic(handle, Code.int32, &number)
    case .uint32(var number):
      return sd_bus_message_append_basic(handle, Code.uint32, &number)
    }
  }

  /// The codes of basic types, in the D-Bus specification's type system.
  enum Code {
    static let string = code("s")
    static let path = code("o")
    static let int32 = code("i")
    static let uint32 = code("u")
    static let bool = code("b")
    static let byte = code("y")
    static let array = code("a")
    static let variant = code("v")
    static let structure = code("r")
    static let entry = code("e")

    private static func code(_ letter: Unicode.Scalar) -> CChar {
      CChar(truncatingIfNeeded: letter.value)
    }
  }

  /// Reads a string, or with ``Code/path`` an object path.
  func string(_ type: CChar = Code.string) -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(handle, type, &text) > 0, let text else { return nil }
    return String(cString: text)
  }

  /// Reads an unsigned number.
  func uint32() -> UInt32? {
    var number: UInt32 = 0
    return sd_bus_message_read_basic(handle, Code.uint32, &number) > 0 ? number : nil
  }

  /// Reads a Boolean, an `int` in the C library.
  func bool() -> Bool? {
    var flag: Int32 = 0
    return sd_bus_message_read_basic(handle, Code.bool, &flag) > 0 ? flag != 0 : nil
  }

  /// Reads an array of bytes.
  func bytes() -> [UInt8]? {
    var start: UnsafeRawPointer?
    var count = 0
    guard sd_bus_message_read_array(handle, Code.byte, &start, &count) >= 0 else { return nil }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Reads what `read` reads inside a container, nil if there is none of these contents.
  func inside<Result>(_ container: CChar, _ contents: String, _ read: () -> Result?) -> Result? {
    guard sd_bus_message_enter_container(handle, container, contents) > 0 else { return nil }
    let result = read()
    sd_bus_message_exit_container(handle)
    return result
  }

  /// Reads an array of strings.
  func strings() -> [String]? {
    inside(Code.array, "s") {
      var all: [String] = []
      while let next = string() { all.append(next) }
      return all
    }
  }

  /// Passes over values of these types.
  func skip(_ types: String) {
    sd_bus_message_skip(handle, types)
  }

  /// The type inside the variant that comes next, nil if none comes.
  var variantContents: String? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(handle, &type, &contents) > 0, type == Code.variant else {
      return nil
    }
    return contents.map { String(cString: $0) }
  }

  /// Whether it is the signal `member` of `interface`.
  func isSignal(_ interface: String, _ member: String) -> Bool {
    sd_bus_message_is_signal(handle, interface, member) > 0
  }

  /// The cookie of the call that it answers, nil if it answers none.
  var answeredCookie: UInt64? {
    var cookie: UInt64 = 0
    return sd_bus_message_get_reply_cookie(handle, &cookie) >= 0 ? cookie : nil
  }

  /// The error that it carries.
  var error: (name: String, message: String)? {
    guard let error = sd_bus_message_get_error(handle)?.pointee, let name = error.name else {
      return nil
    }
    return (String(cString: name), error.message.map { String(cString: $0) } ?? "")
  }
}
