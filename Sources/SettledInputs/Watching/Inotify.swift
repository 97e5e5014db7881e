import CLinux
import Glibc

/// What tells of changes below directories: inotify(7), or a stand-in for it.
public protocol Notifier: AnyObject {
  /// What becomes readable when there are events.
  var descriptor: CInt { get }
  /// Starts to watch a path, or adds to what is watched there, and gives the watch's number.
  func add(_ path: String, _ mask: UInt32) throws(SystemError) -> CInt
  /// Watches no more; a watch that is gone already is no matter.
  func remove(_ watch: CInt)
  /// Takes some of the events that are there; none when there are no more.
  func takeEvents() -> [InotifyEvent]
}

/// One thing that happened below a directory or to a file.
public struct InotifyEvent: Sendable, Hashable {
  /// The number of the watch, -1 when events were lost.
  public var watch: CInt
  /// What happened, in the bits of inotify(7).
  public var mask: UInt32
  /// The name in the directory, empty where the watched thing itself is meant.
  public var name: String

  /// Creates an event.
  public init(watch: CInt, mask: UInt32, name: String = "") {
    self.watch = watch
    self.mask = mask
    self.name = name
  }

  /// Tells whether any of these bits is set.
  func has(_ bits: CInt) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
}

/// An inotify descriptor.
public final class Inotify: Notifier {
  /// The descriptor, readable when there are events.
  public let descriptor: CInt
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Opens one; the kernel allows a user so many (`fs.inotify.max_user_instances`).
  public init() throws(SystemError) {
    descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError("open", "inotify") }
  }

  deinit { close(descriptor) }

  /// Starts to watch a path, or adds to what is watched there.
  public func add(_ path: String, _ mask: UInt32) throws(SystemError) -> CInt {
    let watch = inotify_add_watch(descriptor, path, mask)
    guard watch >= 0 else { throw SystemError("watch", path) }
    return watch
  }

  /// Watches no more.
  public func remove(_ watch: CInt) {
    inotify_rm_watch(descriptor, watch)
  }

  /// Takes as many events as one read(2) gives.
  public func takeEvents() -> [InotifyEvent] {
    let count = buffer.withUnsafeMutableBytes { bytes in
      var count: Int
      repeat {
        count = read(descriptor, bytes.baseAddress, bytes.count)
      } while count < 0
        && errno == EINTR
      return count
    }
    guard count > 0 else { return [] }
    return buffer.withUnsafeBytes {
      Self.events(in: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
  }

  /// Reads the records: watch, mask, cookie, length of the name with its padding, name.
  private static func events(in bytes: UnsafeRawBufferPointer) -> [InotifyEvent] {
    var (events, start) = ([InotifyEvent](), 0)
    while start + 16 <= bytes.count {
      let watch = bytes.loadUnaligned(fromByteOffset: start, as: CInt.self)
      let mask = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
      let length = Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
      let name = bytes[start + 16..<min(start + 16 + length, bytes.count)].prefix { $0 != 0 }
      let text = String(decoding: name, as: UTF8.self)
      events.append(InotifyEvent(watch: watch, mask: mask, name: text))
      start += 16 + length
    }
    return events
  }
}
