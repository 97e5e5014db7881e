import Observation
import SettledObserving
import Testing

/// A class as users have it, without our line.
@ObservingActor @Observable
final class Plain {
  var number = 0
  var other = 0
}

@ObservingActor
struct PlainObjectTests {
  @Test func `a handler sees the new values of a transaction, once`() {
    let plain = Plain()
    let log = Log<[Int]>()
    let token = observe({ [plain.number, plain.other] }) { log.append($1) }
    transaction {
      plain.number = 1
      plain.other = 1
    }
    transaction { plain.number = 2 }
    #expect(log.entries == [[0, 0], [1, 1], [2, 1]])
    token.cancel()
    transaction { plain.number = 3 }
    #expect(log.entries.count == 3)
  }

  @Test func `writes outside of a transaction are one notification`() async {
    let plain = Plain()
    let log = Log<[Int]>()
    let token = observe({ [plain.number, plain.other] }) { log.append($1) }
    plain.number = 1
    plain.other = 1
    #expect(log.entries.count == 1)
    await Task.yield()
    #expect(log.entries == [[0, 0], [1, 1]])
    token.cancel()
  }

  @Test func `a memo over a plain object holds at once`() throws {
    let plain = Plain()
    let memo = Memo("double") { plain.number * 2 }
    let outer = Memo("outer") { try memo.value + 1 }
    #expect(try outer.value == 1)
    plain.number = 4
    #expect(try outer.value == 9)
    plain.number = 5
    #expect(try outer.value == 11)
  }

  @Test func `a stock observer that reads a memo before the store makes nothing stale`() throws {
    let plain = Plain()
    let memo = Memo("double") { plain.number * 2 }
    let outer = Memo("outer") { try memo.value + 1 }
    let log = Log<Int>()
    let token = observe({ try outer.value }) { log.append($1) }
    withObservationTracking {
      _ = plain.number
    } onChange: {
      ObservingActor.sync { _ = try? outer.value }
    }
    plain.number = 4
    #expect(try outer.value == 9)
    transaction {}
    #expect(log.entries == [1, 9])
    token.cancel()
  }

  @Test func `models and plain objects are one notification`() {
    let plain = Plain()
    let pair = Pair()
    let log = Log<[Int]>()
    let token = observe({ [plain.number, pair.a] }) { log.append($1) }
    transaction {
      plain.number = 1
      pair.a = 1
    }
    #expect(log.entries == [[0, 0], [1, 1]])
    token.cancel()
  }

  @Test func `observers that feed each other over plain objects are stopped`() {
    let plain = Plain()
    let log = Log<String>()
    let token = observe({ plain.number }, named: "feedback", onError: { log.append("\($0)") }) {
      plain.number = $1 + 1
    }
    transaction {}
    #expect(log.entries == ["\(ObservingError.feedback(["feedback", "feedback"]))"])
    token.cancel()
  }

  @Test func `a sequence over a plain object gives the last value`() async {
    let plain = Plain()
    let reader = Task.detached {
      for await value in values({ plain.number }) where value == 50 { return true }
      return false
    }
    for number in 1...50 { await ObservingActor.run { plain.number = number } }
    #expect(await reader.value)
  }

  @Test func `willChange is called with the old values`() {
    let plain = Plain()
    let log = Log<Int>()
    let token = observe({ plain.number }, willChange: { log.append(plain.number) }) { _, _ in }
    transaction { plain.number = 1 }
    #expect(log.entries == [0])
    token.cancel()
  }
}
