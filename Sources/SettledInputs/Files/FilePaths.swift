import Glibc
import SettledValues

/// Operations on paths.
public enum FilePaths {
  /// The path of `path` seen from the directory `base`; an absolute path stays what it is.
  public static func resolve(_ path: String, from base: String) -> String {
    isAbsolute(path) ? normalize(path) : normalize(base + "/" + path)
  }

  /// Whether the path begins at `/`, which is a byte to the kernel, whatever combines with it.
  public static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// The path seen from the working directory; as it is where that is gone.
  public static func absolute(_ path: String) -> String {
    guard !isAbsolute(path), let directory = getcwd(nil, 0) else { return normalize(path) }
    defer { free(directory) }
    return resolve(path, from: String(cString: directory))
  }

  /// The path without empty and `.` parts; `..` stays, as only the file system knows what it means.
  public static func normalize(_ path: String) -> String {
    guard !isNormal(path) else { return path }
    let text = names(in: path).filter { $0 != "." }.joined(separator: "/")
    if isAbsolute(path) { return "/" + text }
    return text.isEmpty ? "." : text
  }

  /// The parts of a path between its slashes.
  static func names(in path: String) -> [Substring] { path.parts(between: "/") }

  private static let slash = UInt8(ascii: "/")

  /// Whether the path has parts of which none is empty or `.`.
  private static func isNormal(_ path: String) -> Bool {
    var length = 0
    var isDot = false
    for byte in path.utf8.dropFirst(isAbsolute(path) ? 1 : 0) {
      if byte == slash {
        guard length > 0, !isDot else { return false }
        length = 0
      } else {
        length += 1
        isDot = length == 1 && byte == UInt8(ascii: ".")
      }
    }
    return length > 0 && !isDot
  }

  /// The path without links on the way to its last part, so that two spellings of one place are one
  /// also where not all of it is there yet.
  public static func physical(_ path: String) -> String {
    guard let way = try? LinkedPath(directory(of: path)) else { return normalize(path) }
    return way.end + "/" + name(of: path)
  }

  /// The directory a path lies in: `/` for what lies directly below it, `.` for a bare name.
  public static func directory(of path: String) -> String {
    guard let end = path.utf8.lastIndex(of: slash) else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  /// The last part of a path.
  public static func name(of path: String) -> String {
    path.utf8.lastIndex(of: slash).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// The path as messages show it: relative to `base` where it lies below it.
  public static func shown(_ path: String, from base: String) -> String {
    let start = base == "/" ? base : base + "/"
    guard path.startsWithBytes(start), path.utf8.count > start.utf8.count else { return path }
    return String(Substring(path.utf8.dropFirst(start.utf8.count)))
  }
}
