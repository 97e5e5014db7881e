import Glibc
public import SettledValues

/// The conformance suites, which are not part of the package.
public enum Suites {
  /// The folder they are in: `SETTLED_SUITES`, else `../shared/suites` beside the package.
  public static let folder: String? = {
    let named = environment("SETTLED_SUITES") ?? packageRoot + "/../shared/suites"
    return access(named, R_OK) == 0 ? named : nil
  }()

  /// The root of the package.
  public static let packageRoot: String = #filePath.split(separator: "/").dropLast(3)
    .reduce(into: "") { $0 += "/" + $1 }

  /// The bytes of a file in the suites, or nil where it is absent; says so once a file.
  public static func bytes(of name: String) -> [UInt8]? {
    guard let folder, let bytes = readFile(folder + "/" + name) else {
      print("skipped: \(name) is in neither SETTLED_SUITES nor ../shared/suites")
      return nil
    }
    return bytes
  }

  /// The values of a file with one JSON text a line, or nil where it is absent.
  ///
  /// A string with escaped lone surrogates is read as `Value.bytes`, `\udcXX` being the byte XX.
  public static func lines(of name: String) throws -> [Value]? {
    guard let bytes = bytes(of: name) else { return nil }
    return try bytes.split(separator: UInt8(ascii: "\n")).map {
      try JSON.read(Array($0), loneSurrogates: .bytes)
    }
  }

  /// The names of the files in a folder of the suites that end in `ending`, sorted.
  public static func files(in name: String, ending: String) -> [String] {
    guard let folder else { return [] }
    return TestSupport.names(in: folder + "/" + name).filter { $0.hasSuffix(ending) }
      .map { name + "/" + $0 }
  }
}

extension Value {
  /// The bytes of a suite's string, whether or not it is text.
  public var rawBytes: [UInt8]? {
    switch self {
    case .string(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    default: nil
    }
  }

  /// The entry `key` of a map; nil for other values.
  public subscript(key: String) -> Value? {
    guard case .map(let map) = self else { return nil }
    return map[key]
  }
}

/// The value of an environment variable, or nil where it is not set.
public func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
