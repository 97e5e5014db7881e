import Control
import Generations
import SettledValues

/// The clients that are told of changes.
///
/// Clients that ask for the same paths are told the same, so that it is found out and written once
/// for all of them. To announce something only notes it: they are told later, a few at a time, so
/// that who waits for a verdict does not wait for them, and others are answered in between.
final class Subscriptions {
  /// How many are told before others have their turn.
  private static let batch = 32
  /// How much may be announced that nobody was told of yet.
  private static let announcementLimit = 16

  /// Those who ask for the same paths, and what they were told last.
  private struct Group {
    var told: [Value?]
    var members: [Int: Subscription] = [:]
  }

  /// What has happened, and is still to be told to those whom it concerns.
  private struct Announcement {
    var event: WatchEvent
    var changed: [String]
    var generation: Generation?
  }

  /// What is to be told to whom.
  private struct News {
    var paths: [String]
    var number: Int
    var event: WatchEvent.Encoded
  }

  private var groups: [[String]: Group] = [:]
  private var last = 0
  private var announced: [Announcement] = []
  private var waiting: ArraySlice<News> = []

  /// The number of clients.
  var count: Int { groups.values.reduce(0) { $0 + $1.members.count } }

  /// Whether somebody is still to be told.
  var isBehind: Bool { !waiting.isEmpty || !announced.isEmpty }

  /// Adds a client, and tells it what holds now.
  func add(_ subscription: Subscription, now event: WatchEvent, _ generation: Generation?) {
    // So that what it is told now is what its group was told last.
    tellAll()
    let paths = subscription.paths
    let values = paths.map { generation?.shown($0) }
    var first = subscription.isTrusted ? event : event.publicPart
    first.changes = zip(paths, values).map { WatchEvent.Change(path: $0, value: $1) }
    subscription.tell(first.encoded)
    guard subscription.isOpen else { return }
    last += 1
    let number = last
    groups[paths, default: Group(told: values)].members[number] = subscription
    subscription.whenClosed { [unowned self] in remove(number, from: paths) }
  }

  private func remove(_ number: Int, from paths: [String]) {
    groups[paths]?.members[number] = nil
    if groups[paths]?.members.isEmpty == true { groups[paths] = nil }
  }

  /// Has all clients told whom an event concerns, after what was announced before; `changed` is what
  /// those are told of who want to know of everything.
  func announce(_ event: WatchEvent, changed: [String] = [], _ generation: Generation?) {
    if announced.count >= Self.announcementLimit { tellAll() }
    announced.append(Announcement(event: event, changed: changed, generation: generation))
  }

  /// Who is to be told what of an announcement.
  private func news(of announcement: Announcement) -> [News] {
    let (event, generation) = (announcement.event, announcement.generation)
    var values: [String: Value?] = [:]
    var news: [News] = []
    for paths in Array(groups.keys) {
      if paths.isEmpty {
        news += tidings(event, announcement.changed, generation)
      } else if let changed = change(of: paths, event, generation, &values) {
        let event = changed.encoded
        news += (groups[paths]?.members.keys ?? [:].keys).map {
          News(paths: paths, number: $0, event: event)
        }
      }
    }
    return news
  }

  /// An event for those who want to know of everything, each as far as it may.
  private func tidings(
    _ event: WatchEvent, _ changed: [String], _ generation: Generation?
  ) -> [News] {
    var event = event
    event.isCut = changed.count > WatchEvent.changeLimit
    event.changes = changed.prefix(WatchEvent.changeLimit).map {
      WatchEvent.Change(path: $0, value: generation?.shown($0))
    }
    let (whole, part) = (event.encoded, event.publicPart.encoded)
    return (groups[[]]?.members ?? [:]).map { number, subscription in
      News(paths: [], number: number, event: subscription.isTrusted ? whole : part)
    }
  }

  /// What is not as it was at these paths; nil where nothing is.
  private func change(
    of paths: [String], _ event: WatchEvent, _ generation: Generation?,
    _ values: inout [String: Value?]
  ) -> WatchEvent? {
    let now = paths.map { path -> Value? in
      if let known = values[path] { return known }
      let value = generation?.shown(path)
      values[path] = .some(value)
      return value
    }
    guard let told = groups[paths]?.told, now != told else { return nil }
    groups[paths]?.told = now
    var news = event
    news.changes = zip(paths, zip(now, told)).compactMap { path, pair in
      pair.0 == pair.1 ? nil : WatchEvent.Change(path: path, value: pair.0)
    }
    return news
  }

  /// Tells all that was announced.
  func tellAll() { while isBehind { tellSome() } }

  /// Tells the next few clients.
  func tellSome() {
    if waiting.isEmpty, !announced.isEmpty { waiting = news(of: announced.removeFirst())[...] }
    let now = waiting.prefix(Self.batch)
    waiting = waiting.dropFirst(Self.batch)
    for news in now {
      guard let subscription = groups[news.paths]?.members[news.number] else { continue }
      subscription.tell(news.event)
      // A client that does not read, or wants one reply, is not told again.
      if !subscription.isOpen { remove(news.number, from: news.paths) }
    }
  }
}

extension Generation {
  /// The value at a path, nil where there is none.
  func shown(_ path: String) -> Value? { try? value(at: path) }
}
