import Glibc
import SettledValues

extension Trails {
  /// Sorts events by the trails they tell something about.
  ///
  /// - Returns: false when the kernel has lost events, and nothing it told so far counts.
  func sort(_ events: [InotifyEvent], into signs: inout Signs) -> Bool {
    for event in events {
      if event.has(IN_Q_OVERFLOW) { return false }
      let holders = table?.holders(of: event) ?? []
      guard !holders.isEmpty, let path = table?.path(of: event.watch) else { continue }
      let sign = Sign(event, at: path)
      for number in holders {
        if let glob = self[number]?.glob, isInDirectory(event, of: number) {
          guard glob.takes(event.name), changesMembers(event, of: number) else { continue }
          signs.add(sign, to: number, name: event.name)
        } else {
          signs.add(sign, to: number)
        }
      }
      if event.has(IN_IGNORED) { table?.forget(event.watch) }
    }
    return true
  }

  /// Walks the trails that have signs, and tells how their inputs moved.
  func settle(_ signs: Signs) -> [Value: Movement] {
    var movements: [Value: Movement] = [:]
    for (number, sign) in signs.trails where self[number]?.glob != nil {
      settleGlob(number, sign, signs, &movements)
    }
    for (number, sign) in signs.trails {
      guard let before = self[number], before.glob == nil else { continue }
      walk(number)
      guard let trail = self[number] else { continue }
      if let movement = sign.movement(of: trail, from: before.end) {
        movements[.string(trail.path)] = movement
      }
    }
    return movements
  }

  /// The paths that signs tell something about.
  func paths(of signs: Signs) -> Set<Value> {
    var paths: Set<Value> = []
    for number in signs.trails.keys {
      guard let trail = self[number] else { continue }
      guard let glob = trail.glob else {
        paths.insert(.string(trail.path))
        continue
      }
      for case .string(let name) in (signs.names[number] ?? [:]).keys {
        paths.insert(.string(glob.path(of: name)))
      }
    }
    return paths
  }

  private func settleGlob(
    _ number: Int, _ sign: Sign, _ signs: Signs, _ movements: inout [Value: Movement]
  ) {
    walk(number)
    let listing = list(number)
    for path in listing.vanished { movements[.string(path)] = .vanished }
    for (member, name) in listing.added {
      guard let trail = self[member] else { continue }
      let sign = signs.sign(for: name, in: number)
      movements[.string(trail.path)] = sign.movement(of: trail, from: .missing)
    }
    if listing.isNewlyBroken, let glob = self[number]?.glob {
      movements[.string(glob.description)] = .finished
    }
  }

  /// Tells whether an event is on a name in a glob's directory, and not on the way there.
  private func isInDirectory(_ event: InotifyEvent, of number: Int) -> Bool {
    let hold = WatchTable.Hold(watch: event.watch, need: .entries)
    return !event.name.isEmpty && self[number]?.holds.contains(hold) == true
  }

  /// Tells whether a name may be new in a glob, or gone; what else a member does, its own trail
  /// tells.
  private func changesMembers(_ event: InotifyEvent, of number: Int) -> Bool {
    guard let trail = self[number], let glob = trail.glob else { return false }
    return event.has(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
      || trail.members[.string(glob.path(of: event.name))] == nil
  }
}
