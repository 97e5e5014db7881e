internal import Glibc

/// What facts are worked out from.
public protocol FactSource {
  /// The name of the machine (uname(2), `nodename`).
  var nodeName: String { get }
  /// The architecture (uname(2), `machine`).
  var machine: String { get }
  /// The number of processors that are online.
  var processors: Int { get }
  /// The text of a file, or nil where it cannot be read.
  func text(of file: String) -> String?
}

/// The running system as a source of facts.
public struct RunningSystem: FactSource {
  private let names: (node: String, machine: String)

  /// Asks the kernel for its names.
  public init() {
    var name = utsname()
    uname(&name)
    names = (Self.text(name.nodename), Self.text(name.machine))
  }

  /// The name of the machine.
  public var nodeName: String { names.node }

  /// The architecture.
  public var machine: String { names.machine }

  /// The number of processors that are online.
  public var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The first 64 KiB of a file.
  public func text(of file: String) -> String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if got <= 0 { break }
      count += got
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// The text in a fixed array of characters.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
