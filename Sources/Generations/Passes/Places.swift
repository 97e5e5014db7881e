import SettledInputs
import SettledValues

/// Where inputs and destinations were found to lie when no two of them were one.
struct Places {
  private let inputs: Set<Value>
  private let directories: PhysicalDirectories

  /// Takes the physical paths of inputs, and of the directories of destinations.
  init(inputs: Set<Value>, directories: PhysicalDirectories) {
    self.inputs = inputs
    self.directories = directories
  }

  /// Whether the inputs are these, and no directory was moved or linked elsewhere.
  func stillHold(_ inputs: Set<Value>) -> Bool {
    inputs == self.inputs && directories.stillHold
  }
}

/// Finds the physical paths of files; each directory is asked for once (``FilePaths/physical(_:)``).
struct PhysicalDirectories {
  private var known: [String: String] = [:]

  /// Finds the physical path of a file.
  mutating func path(of path: String) -> String {
    let directory = FilePaths.directory(of: path)
    let name = FilePaths.name(of: path)
    if let start = known[directory] { return start + name }
    let start = Self.start(of: path, named: name)
    known[directory] = start
    return start + name
  }

  /// Whether all directories are where they were.
  var stillHold: Bool {
    known.allSatisfy { directory, start in
      Self.start(of: directory + "/x", named: "x").hasSameBytes(as: start)
    }
  }

  /// What the physical path of a file has before its name.
  private static func start(of path: String, named name: String) -> String {
    String(FilePaths.physical(path).dropLast(name.count))
  }
}
