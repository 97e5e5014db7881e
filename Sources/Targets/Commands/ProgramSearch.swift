import Glibc
import SettledInputs
import SettledValues

/// Finds programs as posix_spawnp(3) does, which starts them: one whose name has no slash in the
/// directories of `PATH`.
public struct ProgramSearch: Sendable {
  private let base: String
  private let directories: [String]

  /// Creates a search along this process's `PATH`, or along what stands for it where it has none, for
  /// commands that run in the directory `base` (``Command/directory``).
  public init(from base: String) {
    self.base = base
    let path = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    directories = path.parts(between: ":", keepingEmpty: true).map {
      FilePaths.resolve(String($0), from: base)
    }
  }

  /// Why a program cannot be started now; nil where it can.
  public func fault(of program: String) -> String? {
    let isPath = program.containsBytes("/")
    let paths =
      isPath ? [FilePaths.resolve(program, from: base)] : directories.map { $0 + "/" + program }
    if paths.contains(where: { Self.isProgram($0) }) { return nil }
    let isThere = paths.contains { access($0, F_OK) == 0 }
    return isThere ? "'\(program)' cannot be executed" : "there is no program '\(program)'"
  }

  /// The names of all programs that need no path.
  public func names() -> [String] {
    Set(directories.flatMap { (try? Directories.names(in: $0)) ?? [] }).sorted()
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
  }
}
