import Glibc
import SettledValues

/// One walk along a trail, which sets the watches before it looks, so that no change falls between.
struct TrailWalk {
  /// The most links on a way, as the kernel has it (path_resolution(7)).
  private static let maximumLinks = 40

  private let table: WatchTable?
  private let number: Int
  private let endsAtDirectory: Bool
  private(set) var holds: Set<WatchTable.Hold> = []
  private(set) var failure: SystemError?
  /// Whether the file was written later than anything else happened in its directory.
  ///
  /// Whoever created it may then still be at it. Moving the directory counts as happening in it, so
  /// what came with a directory is complete.
  private(set) var mayBeOpen = false
  /// The names still to go, the next one last.
  private var names: [String]
  /// Where the walk is: a directory without links on its way.
  private var directory = "/"
  private var links = 0

  /// Prepares a walk for the trail with this number; without a table it only looks.
  init(_ trail: Trail, number: Int, table: WatchTable?) {
    self.table = table
    self.number = number
    endsAtDirectory = trail.glob != nil
    names = Self.names(in: trail.path)
    if !FilePaths.isAbsolute(trail.path) { names += Self.names(in: Self.workingDirectory()) }
  }

  /// Walks to the end.
  mutating func run() -> TrailEnd {
    while let name = names.popLast() {
      if name == "." { continue }
      if name == ".." {
        directory = Self.parent(of: directory).directory
        continue
      }
      let path = Self.join(directory, name)
      if !names.isEmpty, isDirectory(path), hold(path, .itself) {
        directory = path
      } else if let end = enter(name, at: path) {
        return end
      }
    }
    return end(at: directory)
  }

  /// Looks at a name whose own changes count: a link, the last one, or one that is not there.
  ///
  /// - Returns: the trail's end, or nil to go on.
  private mutating func enter(_ name: String, at path: String) -> TrailEnd? {
    hold(directory, .entry(.string(name)))
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT ? missing() : .failed(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: return follow(path)
    case S_IFDIR where !names.isEmpty:
      guard hold(path, .itself) else { return missing() }
      directory = path
      return nil
    default:
      return names.isEmpty ? end(at: path) : .failed(ENOTDIR)
    }
  }

  /// Goes on where a link leads.
  private mutating func follow(_ path: String) -> TrailEnd? {
    links += 1
    guard links <= Self.maximumLinks else { return .failed(ELOOP) }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    // A link that was replaced meanwhile is told, as its directory is watched already.
    guard count > 0 else { return missing() }
    let target = String(decoding: bytes[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    if FilePaths.isAbsolute(target) { directory = "/" }
    names += Self.names(in: target)
    return nil
  }

  /// Looks at the end, once its own changes are told.
  private mutating func end(at path: String) -> TrailEnd {
    if endsAtDirectory {
      hold(path, .entries)
    } else {
      hold(path, .content)
    }
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT ? missing() : .failed(errno) }
    let file = FileIdentity(status)
    if !endsAtDirectory, stat(directory, &status) == 0 {
      mayBeOpen = file.modified >= FileIdentity(status).changed
    }
    return .found(file)
  }

  /// Ends at a name that is not there: its directory may be removed as well, and come again, which
  /// tells nothing to who watches only the directory while something still holds it open.
  private mutating func missing() -> TrailEnd {
    if directory != "/" {
      let (parent, name) = Self.parent(of: directory)
      hold(parent, .entry(.string(name)))
    }
    return .missing
  }

  /// Holds a watch; tells whether the path is there to be watched, or watching it failed.
  @discardableResult
  private mutating func hold(_ path: String, _ need: WatchTable.Need) -> Bool {
    guard let table else { return true }
    do {
      holds.insert(try table.hold(path, for: need, by: number))
      return true
    } catch {
      switch error.code {
      case ENOENT, ENOTDIR: return false
      case EACCES where need == .itself || need == .content: return true
      default:
        failure = failure ?? error
        return true
      }
    }
  }

  private func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func names(in path: String) -> [String] {
    FilePaths.names(in: path).reversed().map { String($0) }
  }

  private static func workingDirectory() -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&bytes, bytes.count) != nil else { return "/" }
    let path = bytes.prefix { $0 != 0 }
    return String(decoding: path.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func join(_ directory: String, _ name: String) -> String {
    directory == "/" ? "/" + name : directory + "/" + name
  }

  private static func parent(of directory: String) -> (directory: String, name: String) {
    guard let slash = directory.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("/", "") }
    let name = String(directory[directory.utf8.index(after: slash)...])
    let parent = String(directory[..<slash])
    return (parent.isEmpty ? "/" : parent, name)
  }
}
