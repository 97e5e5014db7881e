import CLinux
import SettledValues

/// The watches of one notifier, and which trails hold them for what.
///
/// A directory that many inputs share is watched once; a watch that no trail holds is removed.
final class WatchTable {
  /// What a trail wants to know of a path.
  enum Need: Hashable {
    /// Whether the directory itself moves or goes.
    case itself
    /// What happens to one name in the directory.
    case entry(Value)
    /// What happens to any name in the directory.
    case entries
    /// Whether the file is written, by whatever name (a hard link, a bind mount).
    case content

    /// The bits of inotify(7) to ask for.
    ///
    /// A directory is not asked for `IN_MODIFY`: the file's own watch tells it, and a log that
    /// grows beside an input wakes nobody.
    var mask: UInt32 {
      switch self {
      case .itself: UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB | IN_ONLYDIR)
      case .entry, .entries:
        Need.itself.mask
          | UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
          | UInt32(IN_CLOSE_WRITE | IN_EXCL_UNLINK)
      case .content: UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
      }
    }
  }

  /// A trail's hold on a watch.
  struct Hold: Hashable {
    var watch: CInt
    var need: Need
  }

  private struct Watch {
    var path: String
    var mask: UInt32
    var holders: [Need: Set<Int>] = [:]

    /// What the holders ask for; what names are asked for alike counts once.
    var wanted: UInt32 {
      var (mask, hasEntry): (UInt32, Bool) = (0, false)
      for need in holders.keys {
        if case .entry = need {
          if hasEntry { continue }
          hasEntry = true
        }
        mask |= need.mask
      }
      return mask
    }
  }

  /// What the watches are on.
  let notifier: any Notifier
  private var watches: [CInt: Watch] = [:]

  init(_ notifier: any Notifier) {
    self.notifier = notifier
  }

  /// The number of watches.
  var count: Int { watches.count }

  /// Makes sure that `path` is watched, and that `trail` is told.
  ///
  /// It asks the kernel even where a watch is known, as another directory may stand there by now.
  func hold(_ path: String, for need: Need, by trail: Int) throws(SystemError) -> Hold {
    let modifiers = UInt32(IN_MASK_ADD) | UInt32(IN_DONT_FOLLOW)
    let number = try notifier.add(path, need.mask | modifiers)
    watches[number, default: Watch(path: path, mask: 0)].holders[need, default: []].insert(trail)
    watches[number]?.mask |= need.mask
    watches[number]?.path = path
    return Hold(watch: number, need: need)
  }

  /// Gives up holds; a watch without holders is removed, one with fewer wants is narrowed.
  func release(_ holds: some Sequence<Hold>, by trail: Int) {
    var touched: Set<CInt> = []
    for hold in holds {
      guard watches[hold.watch]?.holders[hold.need]?.remove(trail) != nil else { continue }
      if watches[hold.watch]?.holders[hold.need]?.isEmpty == true {
        watches[hold.watch]?.holders[hold.need] = nil
        touched.insert(hold.watch)
      }
    }
    for number in touched { narrow(number) }
  }

  /// Forgets a watch that the kernel has removed.
  func forget(_ watch: CInt) {
    watches[watch] = nil
  }

  /// The path that was watched.
  func path(of watch: CInt) -> String? { watches[watch]?.path }

  /// The trails that an event is told to.
  func holders(of event: InotifyEvent) -> Set<Int> {
    guard let watch = watches[event.watch] else { return [] }
    if event.name.isEmpty { return watch.holders.values.reduce(into: []) { $0.formUnion($1) } }
    let entry = watch.holders[.entry(.string(event.name))] ?? []
    return entry.union(watch.holders[.entries] ?? [])
  }

  private func narrow(_ number: CInt) {
    guard let watch = watches[number] else { return }
    let wanted = watch.wanted
    guard wanted != 0 else {
      watches[number] = nil
      return notifier.remove(number)
    }
    guard wanted != watch.mask else { return }
    watches[number]?.mask = wanted
    let found = try? notifier.add(watch.path, wanted | UInt32(IN_DONT_FOLLOW))
    // inotify_add_watch(2) goes by path, and something else may stand there by now. Its watch gets
    // back what it had; the event that tells of the change is on its way.
    guard let found, found != number else { return }
    if let other = watches[found] {
      _ = try? notifier.add(watch.path, other.mask | UInt32(IN_DONT_FOLLOW))
    } else {
      notifier.remove(found)
    }
  }
}
