import Generations
import SettledInputs
import Targets
import TestSupport
import Testing

/// A file that another tool keeps rewriting, by a clock of the test.
@Suite struct RepairTests {
  let shop: Shop

  init() throws {
    shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      targets:
        mended: {file: /mended, content: "{{ port }}", drift: repair, run: [mended]}
        other: {file: /other, content: "{{ port }}", drift: repair}
      """,
      "shop.yaml": "port: 80\n",
    ])
    try shop.settle()
  }

  /// The other tool writes; the answer is what a look at it does.
  private func overwrite(_ name: String = "mended") throws -> Candidate {
    try shop.directory.write("theirs", to: "root/" + name)
    return try shop.look()
  }

  /// Lets the file drift again at once, for a number of times; the answer is how long each repair
  /// waited.
  private func fight(rounds: Int) throws -> [Duration] {
    var waits: [Duration] = []
    for _ in 0..<rounds {
      let start = shop.clock.now
      var candidate = try shop.settle(try overwrite())
      if candidate.isEmpty, let due = shop.repairs.next {
        shop.clock.advance(by: due - start - .nanoseconds(1))
        #expect(try shop.look().plan.isEmpty)
        shop.clock.advance(by: .nanoseconds(1))
        candidate = try shop.settle(try shop.look())
      }
      #expect(candidate.lines == ["replace mended", "run 'mended'"])
      #expect(shop.text("/mended") == "80")
      #expect(shop.repairs.next == nil)
      waits.append(shop.clock.now - start)
    }
    return waits
  }

  @Test func `the first repair is at once, the others wait 1, 2, 4 s and at last 5 min`() throws {
    let waits = try fight(rounds: 12)
    let expected = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    #expect(waits == expected.map { .seconds($0) })
  }

  @Test func `while it waits, the drift is told, with the wait`() throws {
    #expect(try shop.settle(try overwrite()).lines == ["replace mended", "run 'mended'"])
    #expect(shop.repairs.waits == [:])
    let candidate = try overwrite()
    #expect(candidate.drifts == ["mended": .edited])
    try shop.settle(candidate)
    #expect(shop.text("/mended") == "theirs")
    #expect(shop.repairs.waits == ["mended": .seconds(1)])
    #expect(shop.repairs.next == shop.clock.now + .seconds(1))
  }

  @Test func `it starts anew once the file has stayed for as long as the wait`() throws {
    #expect(try fight(rounds: 4).last == .seconds(4))
    shop.clock.advance(by: .seconds(7))
    #expect(try fight(rounds: 1) == [.seconds(1)], "it had stayed 7 s of 8")
    shop.clock.advance(by: .seconds(16))
    #expect(try fight(rounds: 3) == [.zero, .seconds(1), .seconds(2)])
  }

  @Test func `each file waits for itself`() throws {
    _ = try fight(rounds: 3)
    #expect(try shop.settle(try overwrite("other")).lines == ["replace other"])
    #expect(shop.text("/other") == "80")
  }

  @Test func `who asks for the target has it put back at once, and all starts anew`() throws {
    _ = try fight(rounds: 3)
    #expect(try shop.settle(try overwrite()).isEmpty)
    let asked = try shop.look(scope: .targets(["mended"]))
    #expect(asked.plan.lines == ["replace mended", "run 'mended'"])
    try shop.settle(asked)
    #expect(shop.repairs.next == nil)
    #expect(try fight(rounds: 2) == [.zero, .seconds(1)])
  }

  @Test func `a repair that failed counts, a plan that was only looked at does not`() throws {
    #expect(try !overwrite().plan.isEmpty)
    #expect(try !shop.look().plan.isEmpty)
    shop.fail()
    let next = try shop.look()
    #expect(next.plan.isEmpty)
    try shop.settle(next)
    shop.clock.advance(by: .seconds(1))
    #expect(try !shop.look().plan.isEmpty)
  }

  @Test func `what was put back by others, or is wanted otherwise, awaits nothing`() throws {
    _ = try fight(rounds: 1)
    #expect(try shop.settle(try overwrite()).isEmpty)
    try shop.directory.write("80", to: "root/mended")
    try shop.settle(try shop.look())
    #expect(shop.repairs.next == nil)
    #expect(try shop.settle(try overwrite()).isEmpty)
    #expect(shop.repairs.next != nil)
    try shop.directory.write("port: 81\n", to: "shop.yaml")
    #expect(try shop.settle().lines.contains("replace mended"))
    #expect(shop.repairs.next == nil)
  }

  @Test func `a target that only tells from now on, or goes, awaits nothing`() throws {
    for manifest in [
      "targets: {mended: {file: /mended, content: '{{ port }}'}}", "targets: {}",
    ] {
      let shop = try Shop([
        "settled.yaml":
          "{layers: [shop.yaml], targets: {mended: {file: /mended, content: '80', drift: repair}}}",
        "shop.yaml": "port: 80\n",
      ])
      try shop.settle()
      for _ in 0..<2 {
        try shop.directory.write("theirs", to: "root/mended")
        try shop.settle(try shop.look())
      }
      #expect(shop.repairs.next != nil)
      try shop.directory.write("layers: [shop.yaml]\n" + manifest + "\n", to: "settled.yaml")
      try shop.settle()
      #expect(shop.repairs.next == nil)
    }
  }
}
