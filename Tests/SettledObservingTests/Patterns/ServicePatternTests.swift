import Observation
import SettledObserving
import Synchronization
import Testing

/// Patterns of servers and tools, where there is no user interface that observes.
@ObservingActor
struct ServicePatternTests {
  /// What a connection pool is told by the settings.
  @Observable
  final class PoolSettings: Model {
    @ObservationIgnored let _$observationRegistrar = Tracking()
    var size = 4
    var host = "a"
  }

  /// A class that knows nothing of actors or observation: it is told a size.
  final class Pool: Sendable {
    private let sizes = Mutex<[Int]>([])
    var history: [Int] { sizes.withLock { $0 } }
    func resize(to size: Int) { sizes.withLock { $0.append(size) } }
  }

  @Test func `a token ends an observation, when it is cancelled and when it is dropped`() {
    let settings = PoolSettings()
    let pool = Pool()
    var token: ObservationToken? = observe({ settings.size }) { pool.resize(to: $1) }
    let other = observe({ settings.size }, initial: false) { pool.resize(to: -$1) }
    transaction { settings.size = 5 }
    other.cancel()
    transaction { settings.size = 6 }
    token = nil
    transaction { settings.size = 7 }
    #expect(pool.history == [4, 5, -5, 6])
    #expect(token == nil && other.isCancelled)
  }

  @Test func `a closure that returns nil ends an observation`() {
    let settings = PoolSettings()
    let pool = Pool()
    observe({ settings.size }, token: { settings.host == "a" ? settings : nil }) {
      pool.resize(to: $1)
    }
    transaction { settings.size = 5 }
    transaction {
      settings.host = "b"
      settings.size = 6
    }
    transaction { settings.host = "a" }
    transaction { settings.size = 7 }
    #expect(pool.history == [4, 5])
  }

  @Test func `an actor of its own follows a model by a sequence`() async {
    actor Connections {
      private(set) var hosts: [String] = []
      func follow(_ settings: PoolSettings, told: AsyncStream<Int>.Continuation) async {
        for await host in values({ settings.host }) {
          hosts.append(host)
          told.yield(hosts.count)
        }
        told.finish()
      }
    }
    let (settings, connections) = (PoolSettings(), Connections())
    let (stream, told) = AsyncStream.makeStream(of: Int.self)
    let task = Task { await connections.follow(settings, told: told) }
    var counts = stream.makeAsyncIterator()
    #expect(await counts.next() == 1)
    transaction { settings.size = 5 }
    transaction { settings.host = "b" }
    #expect(await counts.next() == 2)
    task.cancel()
    #expect(await counts.next() == nil)
    #expect(await connections.hosts == ["a", "b"])
  }

  @Test func `threads read a snapshot that is never half of a transaction`() async {
    let settings = PoolSettings()
    let snapshot = Snapshot { (settings.size, settings.host.utf8.count) }
    transaction { settings.host = "aaaa" }
    let reader = Task.detached {
      var torn = 0
      while true {
        let (size, length) = snapshot.value
        if size != length { torn += 1 }
        if size == 200 { return torn }
        await Task.yield()
      }
    }
    for size in 5...200 {
      transaction {
        settings.size = size
        settings.host = String(repeating: "a", count: size)
      }
      await Task.yield()
    }
    #expect(await reader.value == 0)
  }

  @Test func `writers on other threads hop in, and the last value is told`() async {
    let settings = PoolSettings()
    let pool = Pool()
    let token = observe({ settings.size }) { pool.resize(to: $1) }
    await withTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 1...50 {
            await ObservingActor.run { settings.size = writer * 100 + number }
          }
        }
      }
    }
    transaction { settings.size = 1_000 }
    #expect(pool.history.last == 1_000)
    token.cancel()
  }

  /// A model that asks something of the world, which its test stands in for.
  @Observable
  final class Stock: Model {
    @ObservationIgnored let _$observationRegistrar = Tracking()
    private(set) var count: Int?
    private(set) var isLoading = false
    var label: String { isLoading ? "…" : count.map(String.init) ?? "unknown" }
    @ObservationIgnored private let ask: @Sendable () async -> Int

    init(ask: @escaping @Sendable () async -> Int) { self.ask = ask }

    func refresh() async {
      transaction { isLoading = true }
      let answer = await ask()
      transaction {
        count = answer
        isLoading = false
      }
    }
  }

  @Test func `a model under test tells each state, with the world held still`() async {
    let (questions, asked) = AsyncStream.makeStream(of: CheckedContinuation<Int, Never>.self)
    let stock = Stock { await withCheckedContinuation { asked.yield($0) } }
    let log = Log<String>()
    let token = observe({ stock.label }) { log.append($1) }
    let refresh = Task { await stock.refresh() }
    var pending = questions.makeAsyncIterator()
    let question = await pending.next()
    #expect(log.entries == ["unknown", "…"])
    question?.resume(returning: 7)
    await refresh.value
    #expect(log.entries == ["unknown", "…", "7"])
    token.cancel()
  }
}
