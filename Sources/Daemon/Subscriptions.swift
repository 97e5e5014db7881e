import Control
import Generations
import SettledValues

/// The clients that are told of changes.
///
/// They are told a few at a time, so that others are answered in between.
final class Subscriptions {
  /// How many are told before others have their turn.
  private static let batch = 32

  private struct Entry {
    let subscription: Subscription
    /// What it was told last of its paths.
    var told: [Value?]
  }

  private var entries: [Int: Entry] = [:]
  private var last = 0
  private var event: WatchEvent?
  private var generation: Generation?
  private var waiting: ArraySlice<Int> = []
  /// The values at paths of the generation that is being told, found once for all who ask.
  private var values: [String: Value?] = [:]

  /// The number of clients.
  var count: Int { entries.count }

  /// Whether somebody is still to be told.
  var isBehind: Bool { !waiting.isEmpty }

  /// Adds a client, and tells it what holds now.
  func add(_ subscription: Subscription, now event: WatchEvent, _ generation: Generation?) {
    let told = subscription.paths.map { generation?.shown($0) }
    var first = subscription.isTrusted ? event : event.publicPart
    first.changes = zip(subscription.paths, told).map { WatchEvent.Change(path: $0, value: $1) }
    last += 1
    let number = last
    entries[number] = Entry(subscription: subscription, told: told)
    subscription.whenClosed { [unowned self] in entries[number] = nil }
    subscription.tell(first)
    if !subscription.isOpen { entries[number] = nil }
  }

  /// Has all clients told of an event; what was not told yet of the one before is told with it.
  func announce(_ event: WatchEvent, _ generation: Generation?) {
    while isBehind { tellSome() }
    self.event = event
    self.generation = generation
    values = [:]
    waiting = entries.keys.sorted()[...]
  }

  /// Tells the next few clients.
  func tellSome() {
    for number in waiting.prefix(Self.batch) { tell(number) }
    waiting = waiting.dropFirst(Self.batch)
  }

  private func tell(_ number: Int) {
    guard let event, var entry = entries[number] else { return }
    let subscription = entry.subscription
    if subscription.paths.isEmpty {
      subscription.tell(subscription.isTrusted ? event : event.publicPart)
    } else {
      let now = subscription.paths.map(value)
      guard now != entry.told else { return }
      var news = event
      news.isCut = false
      news.changes = zip(subscription.paths, zip(now, entry.told)).compactMap { path, pair in
        pair.0 == pair.1 ? nil : WatchEvent.Change(path: path, value: pair.0)
      }
      entry.told = now
      entries[number] = entry
      subscription.tell(news)
    }
    // A client that does not read, or wants one reply, is not told again.
    if !subscription.isOpen { entries[number] = nil }
  }

  private func value(at path: String) -> Value? {
    if let known = values[path] { return known }
    let value = generation?.shown(path)
    values[path] = .some(value)
    return value
  }
}

extension Generation {
  /// The value at a path, nil where there is none.
  func shown(_ path: String) -> Value? { try? value(at: path) }
}
