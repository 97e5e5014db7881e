import Glibc
import SettledValues

/// A directory of drop-ins: the names in it that match a pattern (glob(7)) and are no leftovers.
///
/// Wildcards are `*`, `?` and `[...]`, in the last part of the path only. Loader and watcher share
/// this type, so that what is watched is what is loaded.
public struct Glob: Sendable, Hashable, CustomStringConvertible {
  /// The directory, as it was written; `.` where none was.
  public let directory: String
  /// The pattern for the names in it.
  public let pattern: String
  private let pieces: [Piece]

  /// Reads a path with wildcards; nil where its last part has none, or another part has one.
  public init?(_ path: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
    let parent = slash.map { path[..<$0] } ?? "."
    guard Self.isPattern(name), !Self.isPattern(parent) else { return nil }
    directory = parent.isEmpty ? "/" : String(parent)
    pattern = String(name)
    pieces = Piece.read(name.unicodeScalars)
  }

  /// Tells whether a path has a wildcard anywhere.
  public static func isPattern(_ path: some StringProtocol) -> Bool {
    path.utf8.contains {
      $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[")
    }
  }

  /// The path as it was written, `./` before a bare name aside.
  public var description: String { path(of: pattern) }

  /// The path of a name in the directory.
  public func path(of name: String) -> String {
    switch directory {
    case ".": name
    case "/": "/" + name
    default: directory + "/" + name
    }
  }

  /// Tells whether a name in the directory is taken: it matches, and is a drop-in.
  public func takes(_ name: String) -> Bool {
    isDropIn(name) && Piece.match(pieces[...], Array(name.unicodeScalars)[...])
  }

  /// The names in the directory that are taken, in byte order; none where there is no directory.
  ///
  /// Whether a name stands for a readable file is for who reads it.
  ///
  /// - Throws: the reason why the directory cannot be read, or `EILSEQ` for a name that is no text.
  public func names() throws(SystemError) -> [String] {
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return [] }
      throw SystemError("list", directory)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let (name, isText) = Self.name(of: entry)
      guard takes(name) else { continue }
      guard isText else { throw SystemError("take the name", path(of: name), code: EILSEQ) }
      names.append(name)
    }
    guard errno == 0 else { throw SystemError("list", directory) }
    return names.sorted { $0.precedesByBytes($1) }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> (String, isText: Bool) {
    withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      let bytes = bytes.prefix { $0 != 0 }
      if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
      return (String(decoding: bytes, as: UTF8.self), false)
    }
  }
}

/// Tells whether a name in a drop-in directory is meant, and not what an editor or a package left.
///
/// Left aside are dotfiles, what the editors vim, emacs, nano and those of JetBrains write beside
/// a file, backups, and what dpkg, ucf, rpm and pacman set aside (as `hidden_or_backup_file` of
/// systemd does).
public func isDropIn(_ name: String) -> Bool {
  let bytes = name.utf8
  guard let first = bytes.first, let last = bytes.last else { return false }
  if first == UInt8(ascii: ".") || last == UInt8(ascii: "~") { return false }
  if first == UInt8(ascii: "#"), last == UInt8(ascii: "#") { return false }
  if bytes.suffix(3).elementsEqual("___".utf8) { return false }
  // vim tries whether it may create a file here under this name, or one 123 higher.
  if let number = Int(name), number >= 4913, (number - 4913) % 123 == 0 { return false }
  guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return true }
  let ending = name[bytes.index(after: dot)...]
  return !leftoverEndings.contains(String(ending))
    && !leftoverEndingPrefixes.contains { ending.hasPrefix($0) }
}

private let leftoverEndings: Set<String> = [
  "swp", "swo", "swn", "swx", "tmp", "temp", "bak", "backup", "old", "new", "orig", "rej", "save",
  "part", "rpmnew", "rpmold", "rpmorig", "rpmsave", "pacnew", "pacorig", "pacsave",
]

private let leftoverEndingPrefixes = ["dpkg-", "ucf-"]
