import SettledObserving
import Testing

@ObservingActor
struct DependencyTests {
  @Test func `a change is told to who read it and to nobody else`() {
    let one = Dependency()
    let other = Dependency()
    let log = Log<String>()
    let tokens = [
      observe({ one.read() }, isSame: { _, _ in false }) { _, _ in log.append("one") },
      observe({ other.read() }, isSame: { _, _ in false }) { _, _ in log.append("other") },
    ]
    #expect(one.isObserved)
    transaction { other.changed() }
    #expect(log.entries == ["one", "other", "other"])
    tokens.forEach { $0.cancel() }
    #expect(!one.isObserved && !other.isObserved)
  }

  @Test func `a dependency knows whether reads are recorded`() {
    let log = Log<Bool>()
    #expect(!Dependency.isTracking)
    let token = observe({ Dependency.isTracking }) { log.append($1) }
    #expect(log.entries == [true])
    token.cancel()
  }

  @Test func `many memos read a few of many dependencies`() throws {
    var numbers = Array(repeating: 0, count: 100_000)
    let dependencies = numbers.map { _ in Dependency() }
    let memos = (0..<1_000).map { index in
      Memo("\(index)") {
        (0..<10).reduce(0) {
          dependencies[index * 100 + $1].read()
          return $0 + numbers[index * 100 + $1]
        }
      }
    }
    for memo in memos { #expect(try memo.value == 0) }
    transaction {
      numbers[505] = 1
      dependencies[505].changed()
    }
    #expect(try memos[5].value == 1)
  }
}
