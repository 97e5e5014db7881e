import SettledValues

/// A text that is being put together, in memory on the stack as long as it is short.
struct TextBuffer {
  /// The bytes that are wanted on the stack.
  static let room = 512

  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  /// What did not find room.
  private var rest: [UInt8] = []

  /// Creates an empty buffer over `bytes`, which must outlive it.
  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Adds a text.
  @inline(__always)
  mutating func append(_ text: String) {
    text.withBytes { more in
      guard let source = more.baseAddress, let start = bytes.baseAddress else { return }
      if rest.isEmpty, count + more.count <= bytes.count {
        (start + count).update(from: source, count: more.count)
        count += more.count
      } else {
        spill(more)
      }
    }
  }

  private mutating func spill(_ more: UnsafeBufferPointer<UInt8>) {
    if rest.isEmpty { rest.append(contentsOf: bytes[..<count]) }
    rest.append(contentsOf: more)
  }

  /// The text so far.
  var text: String {
    rest.isEmpty
      ? String(decoding: UnsafeBufferPointer(rebasing: bytes[..<count]), as: UTF8.self)
      : String(decoding: rest, as: UTF8.self)
  }
}
