import SettledObserving
import Testing

@ObservingActor
struct MemoListTests {
  @Test func `of many memos those that may differ are evaluated`() {
    let cells = Cells(Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, $0) }))
    let evaluated = Log<Int>()
    let memos = (0..<100).map { number in
      Memo("\(number)", fallback: -1) {
        evaluated.append(number)
        return cells[number] ?? 0
      }
    }
    let list = MemoList(memos)
    #expect(list.values == Array(0..<100))
    #expect(evaluated.entries == Array(0..<100))
    transaction {
      cells[70] = 7
      cells[3] = 8
    }
    #expect(list.values[70] == 7)
    #expect(list.values[3] == 8)
    #expect(evaluated.entries[100...] == [3, 70])
    // What somebody else reads first is in the list all the same.
    cells[5] = 6
    #expect(memos[5].value == 6)
    cells[5] = 9
    #expect(memos[5].value == 9)
    #expect(list.values[5] == 9)
    #expect(list.values.count == 100)
    #expect(evaluated.entries.count == 104)
  }

  @Test func `who reads a list in an evaluation depends on each of its memos`() {
    let cells = Cells([0: 1, 1: 2])
    let list = MemoList((0...1).map { key in Memo("\(key)", fallback: 0) { cells[key] ?? 0 } })
    let told = Log<[Int]>()
    let token = observe({ list.values }) { told.append($1) }
    transaction { cells[1] = 5 }
    #expect(told.entries == [[1, 2], [1, 5]])
    token.cancel()
  }

  @Test func `a memo that needs its own value through a list is asked again`() {
    let cells = Cells([0: 1])
    final class Holder { var list: MemoList<Int>? }
    let holder = Holder()
    let errors = Log<String>()
    let former = ObservingActor.onUnhandledError
    ObservingActor.onUnhandledError = { error, _ in errors.append("\(error)") }
    defer { ObservingActor.onUnhandledError = former }
    let memo = Memo("itself", fallback: 0) { [unowned holder] in
      cells[0] == 2 ? holder.list?.values[0] ?? 0 : cells[0] ?? 0
    }
    let list = MemoList([memo])
    holder.list = list
    #expect(list.values == [1])
    cells[0] = 2
    #expect(list.values == [0])
    #expect(errors.entries.count == 1)
    cells[0] = 3
    #expect(list.values == [3])
    holder.list = nil
  }

  @Test func `plain objects that change in a section are seen at each look`() {
    let plain = Plain()
    let list = MemoList([Memo("plain", fallback: 0) { plain.number }])
    #expect(list.values == [0])
    plain.number = 1
    #expect(list.values == [1])
    plain.number = 2
    #expect(list.values == [2])
  }

  @Test func `lists of random graphs hold what plain functions say`() {
    for number in 0..<300 {
      var dice = Dice(state: UInt64(20_000 + number))
      let graph = RandomGraph(dice: &dice)
      let all = graph.memos.enumerated().map { index, memo in
        Memo("list \(index)", fallback: "") { text(Result { try memo.value }) }
      }
      let lists = [all, all.filter { _ in Bool.random(using: &dice) }, all.reversed()]
        .map { MemoList($0) }
      for _ in 0..<12 {
        transaction {
          for _ in 0..<Int.random(in: 0...3, using: &dice) {
            let leaf = Int.random(in: 0..<graph.leafCount, using: &dice)
            graph.leaves[leaf] = Int.random(in: -9...40, using: &dice)
          }
          if Bool.random(using: &dice) { _ = lists.randomElement(using: &dice)?.values }
        }
        _ = all.randomElement(using: &dice)?.value
        let values = graph.leaves.all
        let expected = graph.memos.indices.map { text(graph.expected($0, values: values)) }
        guard Bool.random(using: &dice) else { continue }
        #expect(lists[0].values == expected)
        #expect(lists[2].values == expected.reversed())
        #expect(lists[1].values.count <= expected.count)
      }
      #expect(lists[0].values == all.map(\.value))
    }
  }
}
