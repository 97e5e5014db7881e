import SettledObserving
import Testing

@ObservingActor
struct ObserveTests {
  @Test func `a handler is told the first value and each that differs`() {
    let limits = Limits()
    let log = Log<[Int?]>()
    let token = observe({ limits.maxOpen }) { log.append([$0, $1]) }
    transaction { limits.maxOpen = 20 }
    transaction { limits.maxOpen = 20 }
    transaction { limits.maxOpen += 1 }
    #expect(log.entries == [[nil, 10], [10, 20], [20, 21]])
    token.cancel()
    #expect(token.isCancelled)
    transaction { limits.maxOpen = 5 }
    #expect(log.entries.count == 3)
  }

  @Test func `a transaction is one notification and shows no half of it`() {
    let pair = Pair()
    let log = Log<[Int]>()
    let token = observe({ [pair.a, pair.b] }) { log.append($1) }
    transaction {
      pair.a = 1
      transaction { pair.a = 2 }
      pair.b = 2
    }
    #expect(log.entries == [[0, 0], [2, 2]])
    token.cancel()
  }

  @Test func `writes outside of a transaction are one notification at the end of the section`()
    async
  {
    let pair = Pair()
    let log = Log<[Int]>()
    let token = observe({ [pair.a, pair.b] }, initial: false) { log.append($1) }
    pair.a = 1
    pair.b = 1
    #expect(log.entries.isEmpty)
    #expect(pair.a + pair.b == 2)
    await Task.yield()
    #expect(log.entries == [[1, 1]])
    token.cancel()
  }

  @Test func `a value that is changed and changed back is no news`() {
    let limits = Limits()
    let log = Log<Int>()
    let token = observe({ limits.maxOpen }, initial: false) { log.append($1) }
    transaction {
      limits.maxOpen = 1
      limits.maxOpen = 10
    }
    #expect(log.entries.isEmpty)
    token.cancel()
  }

  @Test func `subscribing inside a transaction tells the first value at its end`() {
    let pair = Pair()
    let log = Log<[Int]>()
    let tokens = transaction {
      pair.a = 1
      let token = observe({ [pair.a, pair.b] }) { log.append($1) }
      #expect(log.entries.isEmpty)
      pair.b = 1
      return token
    }
    #expect(log.entries == [[1, 1]])
    tokens.cancel()
  }

  @Test func `dropping the token ends the observation`() {
    let limits = Limits()
    let log = Log<Int>()
    var token: ObservationToken? = observe({ limits.maxOpen }) { log.append($1) }
    #expect(token?.isCancelled == false)
    token = nil
    transaction { limits.maxOpen = 1 }
    #expect(log.entries == [10])
  }

  @Test func `dependencies are those of the last evaluation`() {
    let app = App()
    let log = Log<Int>()
    let token = observe({ app.workers > 0 ? app.limits.maxOpen : -1 }) { log.append($1) }
    transaction { app.workers = 0 }
    transaction { app.limits.maxOpen = 50 }
    transaction { app.workers = 1 }
    let replaced = app.limits
    transaction { app.limits = Limits() }
    transaction { replaced.maxOpen = 7 }
    #expect(log.entries == [10, -1, 50, 10])
    token.cancel()
  }

  @Test func `a handler may change models and is told of it in a following round`() {
    let pair = Pair()
    let log = Log<[Int]>()
    let follow = observe({ pair.a }) { pair.b = $1 }
    let token = observe({ [pair.a, pair.b] }, initial: false) { log.append($1) }
    transaction { pair.a = 3 }
    #expect(log.entries == [[3, 0], [3, 3]])
    follow.cancel()
    token.cancel()
  }

  @Test func `what a handler reads is not observed`() {
    let pair = Pair()
    let log = Log<Int>()
    let token = observe({ pair.a }) { _, new in log.append(new + pair.b) }
    transaction { pair.b = 100 }
    #expect(log.entries == [0])
    token.cancel()
  }

  @Test func `observers that feed each other are stopped with the path`() {
    let pair = Pair()
    let log = Log<String>()
    let first = observe(
      { pair.a }, named: "first",
      onError: { log.append("\($0)") }
    ) { pair.b = $1 + 1 }
    let second = observe(
      { pair.b }, named: "second",
      onError: { log.append("\($0)") }
    ) { pair.a = $1 + 1 }
    transaction {}
    let error = ObservingError.feedback(["first", "second", "first"])
    #expect(log.entries == ["\(error)", "\(error)"])
    first.cancel()
    transaction { pair.b = 1000 }
    #expect(pair.a == 1001)
    second.cancel()
  }
}
