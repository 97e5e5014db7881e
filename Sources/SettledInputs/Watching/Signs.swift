import Glibc
import SettledValues

/// What events tell of a trail, as far as it matters for when to look.
enum Sign: Hashable {
  /// The way changed; whether the end did is seen by walking.
  case way
  /// Found without an event; whether it is complete is unknown.
  case polled
  /// Attributes changed.
  case altered
  /// A file was created, and is likely still open.
  case created
  /// A file was written, and is still open.
  case written
  /// A file was closed, or came as a whole.
  case complete

  /// Reads an event on a directory or file at `path`; what is not known counts as complete.
  init(_ event: InotifyEvent, at path: String) {
    if event.has(IN_CLOSE_WRITE | IN_MOVED_TO) {
      self = .complete
    } else if event.has(IN_CREATE), !event.has(IN_ISDIR) {
      self = Self.isWhole(path + "/" + event.name) ? .complete : .created
    } else if event.has(IN_MODIFY) {
      self = .written
    } else if event.has(IN_ATTRIB) {
      self = .altered
    } else if event.has(
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED
        | IN_UNMOUNT)
    {
      self = .way
    } else {
      self = .complete
    }
  }

  /// The sign of two, this one first: a writer that is known of is not forgotten for less.
  ///
  /// Removing a file's last name alters it as well, so a changed way counts for more than that.
  func followed(by next: Sign) -> Sign {
    switch next {
    case .polled: self
    case .altered: self == .polled ? next : self
    case .way: self == .polled || self == .altered ? next : self
    case .created, .written, .complete: next
    }
  }

  /// How the input of a trail that was just walked moved from where the trail ended before.
  ///
  /// - Returns: nil where it did not move.
  func movement(of trail: Trail, from before: TrailEnd) -> Movement? {
    guard case .found = trail.end else { return trail.end != before ? .vanished : nil }
    let replaced = trail.mayBeOpen ? Movement.modified : .finished
    switch self {
    case .way: return trail.end != before ? replaced : nil
    case .polled: return trail.end != before ? .modified : nil
    case .altered: return .altered
    case .created, .written: return .modified
    case .complete: return .finished
    }
  }

  /// Tells whether what was just created comes as a whole: a link, or one more name of a file.
  private static func isWhole(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind == S_IFLNK || (kind == S_IFREG && status.st_nlink > 1)
  }
}

/// The signs of one batch of events, by trail.
struct Signs {
  /// The trails and what is to be made of them.
  private(set) var trails: [Int: Sign] = [:]
  /// The names that globs take, and what is to be made of them.
  private(set) var names: [Int: [Value: Sign]] = [:]

  /// Creates one sign for all of these trails, or none.
  init(_ sign: Sign = .way, for trails: some Sequence<Int> = []) {
    for trail in trails { add(sign, to: trail) }
  }

  /// Whether there is no sign.
  var isEmpty: Bool { trails.isEmpty }

  /// Takes note of a sign for a trail.
  mutating func add(_ sign: Sign, to trail: Int) {
    trails[trail] = trails[trail]?.followed(by: sign) ?? sign
  }

  /// Takes note of a sign for one name in a glob's directory.
  mutating func add(_ sign: Sign, to trail: Int, name: String) {
    add(.way, to: trail)
    let key = Value.string(name)
    names[trail, default: [:]][key] = names[trail]?[key]?.followed(by: sign) ?? sign
  }

  /// The sign for a member that is new to a glob.
  ///
  /// Without an event of its own it came with its directory, or its event is still to come.
  func sign(for name: String, in trail: Int) -> Sign {
    if let own = names[trail]?[.string(name)] { return own == .way ? .created : own }
    let sign = trails[trail] ?? .complete
    return sign == .way && names[trail] != nil ? .created : sign
  }
}
