import SettledObserving
import Testing

/// An object that is not a model.
@ObservingActor
final class Window {
  var title = ""
}

@ObservingActor
struct OwnedTests {
  @Test func `a token closure that returns nil ends the observation`() {
    let limits = Limits()
    let log = Log<Int>()
    let wanted = Pair()
    observe({ limits.maxOpen }, token: { wanted.a == 0 ? "token" : nil }) { log.append($1) }
    transaction { limits.maxOpen = 11 }
    transaction {
      wanted.a = 1
      limits.maxOpen = 12
    }
    wanted.a = 0
    transaction { limits.maxOpen = 13 }
    #expect(log.entries == [10, 11])
  }

  @Test func `an observation ends with its owner`() {
    let limits = Limits()
    let log = Log<Int>()
    var window: Window? = Window()
    if let window {
      observe(of: window, { _ in limits.maxOpen }) { window, new in
        window.title = "\(new)"
        log.append(new)
      }
    }
    transaction { limits.maxOpen = 11 }
    #expect(window?.title == "11")
    window = nil
    transaction { limits.maxOpen = 12 }
    #expect(log.entries == [10, 11])
  }

  @Test func `a closure is run again with what it reads`() {
    let app = App()
    let log = Log<String>()
    let token = observe { log.append("\(app.title) \(app.perWorker)") }
    transaction { app.title = "shop" }
    transaction { app.limits.maxOpen = 11 }
    transaction { app.workers = 1 }
    #expect(log.entries == ["app 5", "shop 5", "shop 11"])
    token.cancel()
  }

  @Test func `a closure is run again for its owner`() {
    let app = App()
    var window: Window? = Window()
    let log = Log<Int>()
    if let window {
      observe(of: window) { window in
        window.title = app.title
        log.append(1)
      }
    }
    transaction { app.title = "shop" }
    #expect(window?.title == "shop")
    window = nil
    transaction { app.title = "again" }
    #expect(log.entries.count == 2)
  }

  @Test func `willChange comes first, with the old values, once a transaction`() {
    let pair = Pair()
    let log = Log<String>()
    let sum = Memo("sum") { pair.a + pair.b }
    let token = observe(
      { try sum.value }, initial: false,
      willChange: { log.append("will \(pair.a) \(pair.b)") }
    ) { log.append("did \($0 ?? -1) \($1)") }
    transaction {
      pair.a = 1
      pair.b = 1
      pair.a = 2
    }
    #expect(log.entries == ["will 0 0", "did 0 3"])
    token.cancel()
    transaction { pair.a = 5 }
    #expect(log.entries.count == 2)
  }

  @Test func `a willChange handler may change what is observed`() {
    let pair = Pair()
    let token = observe({ [pair.a, pair.b] }, willChange: { pair.b += 1 }) { _, _ in }
    transaction { pair.a = 1 }
    #expect(pair.b == 1)
    token.cancel()
  }

  @Test func `a handler may cancel its own observation and others`() {
    let limits = Limits()
    let log = Log<String>()
    let tokens = Log<ObservationToken>()
    for name in ["one", "two"] {
      tokens.append(
        observe({ limits.maxOpen }, initial: false) { _, _ in
          log.append(name)
          tokens.entries.forEach { $0.cancel() }
        })
    }
    transaction { limits.maxOpen = 11 }
    transaction { limits.maxOpen = 12 }
    #expect(log.entries == ["one"])
  }

  @Test func `what is observed in a handler is no dependency of the outer observation`() {
    let app = App()
    let log = Log<String>()
    let inner = Log<ObservationToken>()
    let token = observe({ app.title }) { _, new in
      log.append("outer \(new)")
      inner.append(observe({ app.workers }) { log.append("inner \($1)") })
    }
    transaction { app.workers = 3 }
    #expect(log.entries == ["outer app", "inner 2", "inner 3"])
    token.cancel()
    inner.entries.forEach { $0.cancel() }
  }
}
