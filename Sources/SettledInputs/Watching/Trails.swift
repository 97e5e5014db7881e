import Glibc
import SettledValues

/// The trails of all inputs: those of files, of globs, and of the globs' members.
final class Trails {
  /// What a look at a glob's directory found.
  struct Listing {
    /// The trails of members that were not there before, and their names.
    var added: [(trail: Int, name: String)] = []
    /// The paths of members that are gone.
    var vanished: [String] = []
    /// Whether the directory cannot be read, and could before, or for another reason.
    var isNewlyBroken = false
  }

  /// The watches, or nil where there is no notifier.
  var table: WatchTable?
  /// The trails whose changes may not be told.
  private(set) var failing: Set<Int> = []
  private var trails: [Int: Trail] = [:]
  private var numbers: [Value: Int] = [:]
  private var added = 0

  /// The numbers of all trails.
  var all: [Int] { Array(trails.keys) }

  /// The trail with a number, or nil where it was dropped.
  subscript(number: Int) -> Trail? { trails[number] }

  /// The first reason why changes may not be told, in order of the trails.
  var failure: SystemError? {
    failing.min().flatMap { trails[$0]?.failure }
  }

  /// Watches an input, or counts one more use of it.
  @discardableResult
  func add(_ input: WatchedInput) -> Int {
    if let known = numbers[input.key] {
      trails[known]?.uses += 1
      return known
    }
    added += 1
    numbers[input.key] = added
    switch input {
    case .file(let path): trails[added] = Trail(path: path)
    case .glob(let glob): trails[added] = Trail(path: glob.directory, glob: glob)
    }
    let number = added
    walk(number)
    _ = list(number)
    return number
  }

  /// Counts one use less of an input, and watches it no more after the last.
  ///
  /// - Returns: the paths that are watched no more.
  @discardableResult
  func remove(_ input: WatchedInput) -> [String] {
    guard let number = numbers[input.key] else { return [] }
    trails[number]?.uses -= 1
    guard let trail = trails[number], trail.uses == 0 else { return [] }
    numbers[input.key] = nil
    trails[number] = nil
    failing.remove(number)
    table?.release(trail.holds, by: number)
    return trail.members.keys.reduce(into: [trail.path]) { paths, member in
      if case .string(let path) = member { paths += remove(.file(path)) }
    }
  }

  /// Walks a trail again.
  func walk(_ number: Int) {
    guard let trail = trails[number] else { return }
    var walk = TrailWalk(trail, number: number, table: table)
    trails[number]?.end = walk.run()
    trails[number]?.mayBeOpen = walk.mayBeOpen
    trails[number]?.holds = walk.holds
    trails[number]?.failure = walk.failure
    if walk.failure == nil { failing.remove(number) } else { failing.insert(number) }
    table?.release(trail.holds.subtracting(walk.holds), by: number)
  }

  /// Lists a glob's directory again, and watches the members it has now.
  func list(_ number: Int) -> Listing {
    guard let glob = trails[number]?.glob, let known = trails[number]?.members else {
      return Listing()
    }
    var listing = Listing()
    var names: [String] = []
    var failure: CInt?
    do { names = try glob.names() } catch { failure = error.code }
    listing.isNewlyBroken = failure != nil && failure != trails[number]?.listFailure
    trails[number]?.listFailure = failure
    var members: [Value: Int] = [:]
    for name in names {
      let path = glob.path(of: name)
      let member = known[.string(path)] ?? add(.file(path))
      members[.string(path)] = member
      if known[.string(path)] == nil { listing.added.append((member, name)) }
    }
    trails[number]?.members = members
    for case .string(let path) in known.keys where members[.string(path)] == nil {
      listing.vanished.append(path)
      remove(.file(path))
    }
    return listing
  }
}
