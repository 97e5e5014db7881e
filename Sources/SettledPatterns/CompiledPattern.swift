import CPCRE2

/// The code PCRE2 compiled from a pattern.
final class CompiledPattern: Sendable {
  /// Immutable after compiling, and safe to match with from many threads (pcre2api(3),
  /// "Multithreading").
  nonisolated(unsafe) private let code: OpaquePointer

  /// Compiles `pattern`, which is UTF-8.
  init(_ pattern: String, options: UInt32) throws(PatternError) {
    var errorCode: Int32 = 0
    var offset = 0
    let context = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(context) }
    pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
    var text = pattern
    let compiled = text.withUTF8 { bytes in
      pcre2_compile_8(
        bytes.baseAddress, bytes.count, options | PCRE2_UTF | PCRE2_NO_UTF_CHECK, &errorCode,
        &offset, context)
    }
    guard let compiled else {
      throw PatternError(.syntax, Self.message(errorCode), at: offset)
    }
    code = compiled
  }

  deinit {
    pcre2_code_free_8(code)
  }

  /// Searches `text`, which is UTF-8; the answer is PCRE2's: 0 or more for a match, else an error
  /// code.
  func search(
    _ text: UnsafeBufferPointer<UInt8>, limits: PatternLimits, scratch: PatternScratch
  ) -> Int32 {
    guard let matchData = scratch.matchData, let context = scratch.context else {
      return PCRE2_ERROR_NOMEMORY
    }
    pcre2_set_match_limit_8(context, limits.steps)
    pcre2_set_depth_limit_8(context, limits.depth)
    pcre2_set_heap_limit_8(context, limits.heap)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { nothing in
      pcre2_match_8(
        code, text.baseAddress ?? UnsafePointer(nothing.baseAddress), text.count, 0,
        PCRE2_NO_UTF_CHECK, matchData, context)
    }
  }

  /// PCRE2's sentence for an error code.
  static func message(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let length = pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
      return length < 0
        ? "error \(code)" : String(decoding: buffer.prefix(Int(length)), as: UTF8.self)
    }
  }
}
