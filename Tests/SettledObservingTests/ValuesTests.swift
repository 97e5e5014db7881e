import Observation
import SettledObserving
import Testing

@ObservingActor
struct ValuesTests {
  struct Refused: Error {}

  @Test func `the current value comes first and then each that differs`() async {
    let limits = Limits()
    var iterator = values { limits.maxOpen }.makeAsyncIterator()
    #expect(await iterator.next() == 10)
    transaction { limits.maxOpen = 11 }
    #expect(await iterator.next() == 11)
    transaction { limits.maxOpen += 0 }
    transaction { limits.maxOpen = 12 }
    #expect(await iterator.next() == 12)
  }

  @Test func `a slow reader gets the newest`() async {
    let limits = Limits()
    var iterator = values { limits.maxOpen }.makeAsyncIterator()
    #expect(await iterator.next() == 10)
    for number in 11...20 { transaction { limits.maxOpen = number } }
    #expect(await iterator.next() == 20)
    transaction { limits.maxOpen = 30 }
    transaction { limits.maxOpen = 20 }
    transaction { limits.maxOpen = 21 }
    #expect(await iterator.next() == 21)
  }

  @Test func `a value that comes back while the reader is busy is not given twice`() async {
    let limits = Limits()
    var iterator = values { limits.maxOpen }.makeAsyncIterator()
    #expect(await iterator.next() == 10)
    transaction { limits.maxOpen = 11 }
    transaction { limits.maxOpen = 10 }
    let writer = Task { transaction { limits.maxOpen = 12 } }
    #expect(await iterator.next() == 12)
    await writer.value
  }

  @Test func `each reader has its own and all end on the last value`() async {
    let limits = Limits()
    let sequence = values { limits.maxOpen }
    var quick = sequence.makeAsyncIterator()
    var busy = sequence.makeAsyncIterator()
    #expect(await quick.next() == 10)
    #expect(await busy.next() == 10)
    for number in 11...13 {
      transaction { limits.maxOpen = number }
      #expect(await quick.next() == number)
    }
    #expect(await busy.next() == 13)
  }

  @Test func `iterating again starts with the current value once`() async {
    let limits = Limits()
    let sequence = values { limits.maxOpen }
    for await value in sequence {
      #expect(value == 10)
      break
    }
    transaction { limits.maxOpen = 11 }
    var iterator = sequence.makeAsyncIterator()
    #expect(await iterator.next() == 11)
    transaction { limits.maxOpen = 12 }
    #expect(await iterator.next() == 12)
  }

  @Test func `it ends when its weak subject dies`() async {
    var limits: Limits? = Limits()
    var iterator = values(untilNil: { [weak limits] in limits?.maxOpen }).makeAsyncIterator()
    #expect(await iterator.next() == 10)
    limits = nil
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test func `it ends when its weak subject dies in another task`() async {
    var limits: Limits? = Limits()
    let sequence = values(untilNil: { [weak limits] in limits?.maxOpen })
    let reader = Task.detached {
      var seen: [Int] = []
      for await value in sequence { seen.append(value) }
      return seen
    }
    let owner = Task.detached { [limits] in
      await ObservingActor.run { limits?.maxOpen = 77 }
    }
    limits = nil
    await owner.value
    _ = await reader.value
  }

  @Test func `cancelling the task ends it`() async {
    let limits = Limits()
    let started = AsyncStream<Void>.makeStream()
    let reader = Task.detached {
      var count = 0
      for await _ in values({ limits.maxOpen }) {
        count += 1
        started.continuation.yield()
      }
      return count
    }
    for await _ in started.stream { break }
    reader.cancel()
    #expect(await reader.value == 1)
  }

  @Test func `an error ends it`() async {
    let limits = Limits()
    let log = Log<Int>()
    let sequence = values {
      if limits.maxOpen > 10 { throw Refused() }
      return limits.maxOpen
    }
    await #expect(throws: Refused.self) {
      for try await value in sequence {
        log.append(value)
        transaction { limits.maxOpen += 1 }
      }
    }
    #expect(log.entries == [10])
  }

  @Test func `an optional value is no end`() async {
    let cells = Cells<String, Int>()
    var iterator = values { cells["a"] }.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    transaction { cells["a"] = 1 }
    #expect(await iterator.next() == 1)
  }

  @Test func `a snapshot is read from anywhere and is never half of a transaction`() async {
    let pair = Pair()
    let snapshot = Snapshot { [pair.a, pair.b] }
    let reader = Task.detached {
      while snapshot.value[0] < 1_000 {
        let value = snapshot.value
        #expect(value[0] == value[1])
      }
    }
    for number in 1...1_000 {
      transaction {
        pair.a = number
        pair.b = number
      }
    }
    await reader.value
    #expect(snapshot.value == [1_000, 1_000])
  }
}
