import Observation
import SettledObserving
import Testing

/// The ways in which observation is used, each as an example.
@ObservingActor
struct PatternTests {
  @Observable
  final class Profile: Model {
    @ObservationIgnored let _$observationRegistrar = Tracking()
    var first = "Ada"
    var last = "Lovelace"
    var nickname = ""
    @ObservationIgnored var renders = 0
    var usesNickname = false
    var fullName: String { "\(first) \(last)" }
    var shown: String { usesNickname ? nickname : fullName }
  }

  @Observable
  final class Roster: Model {
    @ObservationIgnored let _$observationRegistrar = Tracking()
    var profiles: [Profile] = []
    var leader: Profile?
  }

  @Test func `a computed property is observed through what it reads`() {
    let profile = Profile()
    let log = Log<String>()
    let token = observe({ profile.fullName }) { log.append($1) }
    transaction {
      profile.first = "Grace"
      profile.last = "Hopper"
    }
    #expect(log.entries == ["Ada Lovelace", "Grace Hopper"])
    token.cancel()
  }

  @Test func `an ignored property is not observed`() {
    let profile = Profile()
    let log = Log<Int>()
    let token = observe({ profile.renders }) { log.append($1) }
    transaction { profile.renders = 5 }
    #expect(log.entries == [0])
    token.cancel()
  }

  @Test func `a conditional property depends on what it shows`() {
    let profile = Profile()
    let log = Log<String>()
    let token = observe({ profile.shown }) { log.append($1) }
    transaction { profile.nickname = "Countess" }
    transaction { profile.usesNickname = true }
    transaction { profile.first = "Augusta" }
    transaction { profile.nickname = "A." }
    #expect(log.entries == ["Ada Lovelace", "Countess", "A."])
    token.cancel()
  }

  @Test func `a nested model is followed, also when it is another one`() {
    let roster = Roster()
    let log = Log<String>()
    let token = observe({ roster.leader?.first ?? "nobody" }) { log.append($1) }
    transaction { roster.leader = Profile() }
    transaction { roster.leader?.first = "Grace" }
    let former = roster.leader
    transaction { roster.leader = Profile() }
    transaction { former?.first = "Alan" }
    #expect(log.entries == ["nobody", "Ada", "Grace", "Ada"])
    token.cancel()
  }

  @Test func `a collection is observed as a whole, and its elements by what is read of them`() {
    let roster = Roster()
    let log = Log<[String]>()
    let token = observe({ roster.profiles.map(\.first) }) { log.append($1) }
    transaction { roster.profiles.append(Profile()) }
    transaction { roster.profiles[0].first = "Grace" }
    transaction { roster.profiles[0].last = "Hopper" }
    transaction { roster.profiles.removeAll() }
    #expect(log.entries == [[], ["Ada"], ["Grace"], []])
    token.cancel()
  }

  @Test func `a one-shot is an observation that its handler cancels`() {
    let profile = Profile()
    let log = Log<String>()
    let token = Log<ObservationToken>()
    token.append(
      observe({ profile.first }, initial: false) { _, new in
        log.append(new)
        token.entries.last?.cancel()
      })
    transaction { profile.first = "Grace" }
    transaction { profile.first = "Alan" }
    #expect(log.entries == ["Grace"])
  }

  enum Loading: Equatable {
    case idle
    case loading
    case loaded([String])
    case failed(String)
  }

  /// An async loading state behind a repository.
  @Observable
  final class Repository: Model {
    struct Unreachable: Error {}
    @ObservationIgnored let _$observationRegistrar = Tracking()
    private(set) var state = Loading.idle
    @ObservationIgnored private let fetch: @Sendable () async throws -> [String]

    init(fetch: @escaping @Sendable () async throws -> [String]) { self.fetch = fetch }

    func load() async {
      transaction { state = .loading }  // told now: what is awaited may be there without a pause
      do { state = .loaded(try await fetch()) } catch { state = .failed("\(error)") }
    }
  }

  @Test func `a repository's loading state is told step by step`() async {
    let log = Log<Loading>()
    let good = Repository { ["a", "b"] }
    let bad = Repository { throw Repository.Unreachable() }
    let tokens = [
      observe({ good.state }) { log.append($1) }, observe({ bad.state }) { log.append($1) },
    ]
    await good.load()
    await bad.load()
    await Task.yield()
    #expect(
      log.entries == [
        .idle, .idle, .loading, .loaded(["a", "b"]), .loading, .failed("Unreachable()"),
      ])
    tokens.forEach { $0.cancel() }
  }

  /// A state machine whose derived state can only be reached together with its parts.
  @Observable
  final class Door: Model {
    enum State { case open, closed, locked }
    @ObservationIgnored let _$observationRegistrar = Tracking()
    private(set) var state = State.closed
    private(set) var steps = 0

    @discardableResult
    func go(to next: State) -> Bool {
      guard (state == .closed) != (next == .closed) else { return false }
      transaction {
        state = next
        steps += 1
      }
      return true
    }
  }

  @Test func `a state machine tells only states it was in`() {
    let door = Door()
    let log = Log<String>()
    let token = observe({ "\(door.state) \(door.steps)" }) { log.append($1) }
    #expect(door.go(to: .open))
    #expect(!door.go(to: .locked))
    #expect(door.go(to: .closed))
    #expect(log.entries == ["closed 0", "open 1", "closed 2"])
    token.cancel()
  }

  /// A coordinator that keeps one model in step with another, and ends with its owner.
  @ObservingActor
  final class Coordinator {
    private(set) var path: [String] = []
    func follow(_ profile: Profile) {
      observe(of: self, { _ in profile.shown }) { coordinator, new in
        coordinator.path.append(new)
      }
    }
  }

  @Test func `a coordinator follows a model for as long as it lives`() async {
    let profile = Profile()
    let living = Probe.Counter()
    do {
      let coordinator = Coordinator()
      coordinator.follow(profile)
      observe(of: coordinator) { [probe = Probe(living)] _ in _ = (probe, profile.first) }
      transaction { profile.first = "Grace" }
      #expect(coordinator.path == ["Ada Lovelace", "Grace Lovelace"])
    }
    transaction { profile.first = "Alan" }
    await Task.yield()
    #expect(living.count == 0)
  }

  @Test func `a model under test is driven and read without waiting`() {
    let app = App()
    app.limits.maxOpen = 100
    #expect(app.perWorker == 50)
  }

  @Test func `a sequence of values drives a task that is cancelled with its owner`() async {
    let profile = Profile()
    let names = AsyncStream<String>.makeStream()
    let task = Task.detached {
      for await name in values({ profile.fullName }) { names.continuation.yield(name) }
      names.continuation.finish()
    }
    var iterator = names.stream.makeAsyncIterator()
    #expect(await iterator.next() == "Ada Lovelace")
    transaction { profile.first = "Grace" }
    #expect(await iterator.next() == "Grace Lovelace")
    task.cancel()
    #expect(await iterator.next() == nil)
  }
}
