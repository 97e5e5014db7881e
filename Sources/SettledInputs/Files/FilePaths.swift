import Glibc

/// Operations on paths.
public enum FilePaths {
  /// The path of `path` seen from the directory `base`; an absolute path stays what it is.
  public static func resolve(_ path: String, from base: String) -> String {
    path.hasPrefix("/") ? normalize(path) : normalize(base + "/" + path)
  }

  /// The path seen from the working directory; as it is where that is gone.
  public static func absolute(_ path: String) -> String {
    guard let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return resolve(path, from: String(cString: directory))
  }

  /// The path without empty and `.` parts; `..` stays, as only the file system knows what it means.
  public static func normalize(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    let text = parts.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + text }
    return text.isEmpty ? "." : text
  }

  /// The path without links on the way to its last part, so that two spellings of one place are one
  /// also where not all of it is there yet.
  public static func physical(_ path: String) -> String {
    guard let way = try? LinkedPath(directory(of: path)) else { return normalize(path) }
    return way.end + "/" + name(of: path)
  }

  /// The directory a path lies in: `/` for what lies directly below it, `.` for a bare name.
  public static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part of a path.
  public static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The path as messages show it: relative to `base` where it lies below it.
  public static func shown(_ path: String, from base: String) -> String {
    let start = base == "/" ? base : base + "/"
    guard path.hasPrefix(start), path.utf8.count > start.utf8.count else { return path }
    return String(path.dropFirst(start.count))
  }
}
