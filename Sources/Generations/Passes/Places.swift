import SettledInputs
import SettledValues
import Targets

/// Where the inputs and the destinations lie, by paths without links: none may be another, or lie in
/// the way of another.
struct Places {
  /// Who has a place.
  enum Holder {
    /// An input, by its position among those that were asked for.
    case input(Int)
    /// A target's file, by the position of the instance.
    case target(Int)
    /// The state directory.
    case state
  }

  /// How a destination lies to the place of who has one.
  enum Relation {
    /// It is the same, or would be taken in.
    case same
    /// It lies below it, so that a directory would have to stand there.
    case below
    /// It is a directory on the way there.
    case above
  }

  /// Two that cannot both be.
  struct Clash {
    var relation: Relation
    var holder: Holder
  }

  /// A file that was read, and where it lies, its last link followed.
  private struct Read {
    var path: String
    var inode: UInt64
    var end: String

    init(_ file: InputFile) {
      (path, inode) = (file.path, file.identity.inode)
      end = FilePaths.isAbsolute(file.path) ? file.path.linked : file.path
    }
  }

  private let rules: [InputRule]
  private let files: [Read]
  private var directories = PhysicalDirectories()
  private var taken: [Value: Holder] = [:]
  /// The directories on the way to what is taken.
  private var passed: [Value: Holder] = [:]
  /// The drop-ins of each directory, by position among the inputs.
  private var globs: [Value: [(glob: Glob, input: Int)]] = [:]

  /// Takes the places of the inputs, and of the state directory where there is one.
  init(_ inputs: InputSet, state: String?) {
    rules = inputs.rules
    files = inputs.files.map { Read($0) }
    if let state { taken[.string(state.linked)] = .state }
    var ends: [Value: String] = [:]
    for file in files { ends[.string(file.path)] = file.end }
    for (position, rule) in inputs.rules.enumerated() {
      switch rule {
      case .glob(let glob):
        let directory = directories.path(of: glob.path(of: glob.pattern)).directory
        globs[.string(directory), default: []].append((glob, position))
        take(directory + "/", for: .input(position))
      case .file(let path), .optional(let path):
        let place = directories.path(of: path)
        for path in [place, ends[.string(path)] ?? place] {
          taken[.string(path)] = .input(position)
          take(path, for: .input(position))
        }
      }
    }
    for file in files where taken[.string(file.end)] == nil {
      // What drop-ins are links to.
      taken[.string(file.end)] = input(taking: directories.path(of: file.path)).map { .input($0) }
    }
  }

  /// Whether the inputs are these, and no directory or input was moved or linked elsewhere.
  func stillHold(_ inputs: InputSet) -> Bool {
    inputs.rules == rules && inputs.files.count == files.count
      && zip(inputs.files, files).allSatisfy { new, old in
        new.path.hasSameBytes(as: old.path)
          && (new.identity.inode == old.inode || Read(new).end.hasSameBytes(as: old.end))
      } && directories.stillHold
  }

  /// Who has a place.
  func holder(of path: String) -> Holder? {
    taken[.string(path)] ?? input(taking: path).map { .input($0) }
  }

  /// Takes the place of a destination, its directory's links followed.
  ///
  /// - Returns: what it is in the way of; nil where it has the place now.
  mutating func take(_ destination: String, of position: Int) -> Clash? {
    take(at: directories.path(of: destination), of: position)
  }

  /// Takes the place that the link of a destination leads to.
  ///
  /// - Returns: what it is in the way of; nil where it has the place now.
  mutating func take(at path: String, of position: Int) -> Clash? {
    if let holder = holder(of: path) {
      if case .target(let owner) = holder, owner == position { return nil }
      return Clash(relation: .same, holder: holder)
    }
    if let holder = passed[.string(path)] { return Clash(relation: .above, holder: holder) }
    if let holder = take(path, for: .target(position)) {
      return Clash(relation: .below, holder: holder)
    }
    taken[.string(path)] = .target(position)
    return nil
  }

  /// Gives a place to a target that another does not lead to any more.
  mutating func pass(_ path: String, to position: Int) { taken[.string(path)] = .target(position) }

  /// Notes the directories on the way to a path; the answer is who has one of them as a file.
  @discardableResult
  private mutating func take(_ path: String, for holder: Holder) -> Holder? {
    var way: [Value] = []
    var directory = path.directory
    while !directory.isEmpty, passed[.string(directory)] == nil {
      if let owner = self.holder(of: directory) { return owner }
      way.append(.string(directory))
      directory = directory.directory
    }
    for directory in way { passed[directory] = holder }
    return nil
  }

  /// The input that a file would be as soon as it is there.
  private func input(taking path: String) -> Int? {
    guard !globs.isEmpty, let globs = globs[.string(path.directory)] else { return nil }
    let name = FilePaths.name(of: path)
    return globs.first { $0.glob.takes(name) }?.input
  }
}

extension String {
  /// What a path has before its last slash: nothing for what lies directly below `/`.
  fileprivate var directory: String {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<$0]) } ?? ""
  }

  /// Where this path leads, its last part followed too; as it is where its links are too many.
  var linked: String { (try? LinkedPath(self).end) ?? self }
}

/// Finds the physical paths of files; each directory is asked for once (``FilePaths/physical(_:)``).
struct PhysicalDirectories {
  private var known: [Value: String] = [:]

  /// Finds the physical path of a file.
  mutating func path(of path: String) -> String {
    let directory = FilePaths.directory(of: path)
    let name = FilePaths.name(of: path)
    if let start = known[.string(directory)] { return start + name }
    let start = Self.start(of: path, named: name)
    known[.string(directory)] = start
    return start + name
  }

  /// Whether all directories are where they were.
  var stillHold: Bool {
    known.allSatisfy { directory, start in
      directory.text.map { Self.start(of: $0 + "/x", named: "x").hasSameBytes(as: start) } == true
    }
  }

  /// What the physical path of a file has before its name.
  private static func start(of path: String, named name: String) -> String {
    String(Substring(FilePaths.physical(path).utf8.dropLast(name.utf8.count)))
  }
}
