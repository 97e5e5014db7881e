import Dispatch
import Glibc
import Observation
import SettledObserving
import Testing

/// A class with our registrar that nothing confines to the actor.
@Observable
final class Loose {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var number = 0
}

struct IsolationTests {
  @Test func `a model that is not confined stops with a message when touched elsewhere`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Loose().number += 1
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("touched outside of ObservingActor; use 'await ObservingActor.run"))
  }

  @Test func `entering is safe on the actor and from a queue that it waits for`() async {
    let entered = await ObservingActor.run {
      DispatchQueue(label: "other").sync { ObservingActor.sync { ObservingActor.isCurrent } }
    }
    #expect(entered)
    #expect(!ObservingActor.isCurrent)
  }

  @Test func `errors leave what was entered`() async {
    struct Refused: Error {}
    #expect(throws: Refused.self) { try ObservingActor.sync { throw Refused() } }
    await #expect(throws: Refused.self) { try await ObservingActor.run { throw Refused() } }
    await #expect(throws: Refused.self) {
      try await ObservingActor.run { try transaction { throw Refused() } }
    }
  }

  @Test func `what a transaction changed before it threw is told`() async {
    struct Refused: Error {}
    await ObservingActor.run {
      let pair = Pair()
      let log = Log<Int>()
      let token = observe({ pair.a }) { log.append($1) }
      try? transaction {
        pair.a = 1
        throw Refused()
      }
      #expect(log.entries == [0, 1])
      token.cancel()
    }
  }

  static let refused: [(code: String, message: String)] = [
    ("func f(_ m: M) { m.number = 1 }", "can not be mutated from a nonisolated context"),
    ("func f(_ m: M) -> Int { m.number }", "can not be referenced from a nonisolated context"),
    ("@MainActor func f(_ m: M) { transaction { m.number = 1 } }", "main actor-isolated context"),
    (
      "@Observable final class N: Model { var number = 0 }",
      "type 'N' does not conform to protocol 'Model'"
    ),
  ]

  @Test(arguments: refused)
  func `code that would break a rule does not compile`(code: String, message: String) throws {
    guard let compiled = try compile(code) else { return }
    #expect(compiled.status != 0)
    #expect(compiled.output.contains(message))
  }

  @Test func `the same code in its place compiles`() throws {
    guard let compiled = try compile("@ObservingActor func f(_ m: M) { m.number = 1 }") else {
      return
    }
    #expect(compiled.status == 0, "\(compiled.output)")
  }

  /// Checks `code` below a model `M`; nil where there is no compiler or no module to import.
  private func compile(_ code: String) throws -> (status: Int32, output: String)? {
    let program = CommandLine.arguments[0]
    let folder = program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex)
    let modules = folder + "/Modules"
    guard access("\(modules)/SettledObserving.swiftmodule", F_OK) == 0 else { return nil }
    let source = """
      import Observation
      import SettledObserving
      @Observable final class M: Model {
        @ObservationIgnored let _$observationRegistrar = Tracking()
        var number = 0
      }
      \(code)
      """
    let command = "printf '%s' \"$0\" | swiftc -typecheck -swift-version 6 -I \"$1\" - 2>&1"
    var pipe: [Int32] = [0, 0]
    try #require(Glibc.pipe(&pipe) == 0)
    defer { close(pipe[0]) }
    let process = try spawn(["/bin/sh", "-c", command, source, String(modules)], output: pipe[1])
    close(pipe[1])
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(pipe[0], &buffer, buffer.count), count > 0 {
      output += buffer.prefix(count)
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let text = String(decoding: output, as: UTF8.self)
    return text.contains("swiftc: not found") ? nil : (status, text)
  }

  private func spawn(_ arguments: [String], output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var process: pid_t = 0
    let words = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    try #require(posix_spawn(&process, arguments[0], &actions, nil, words, environ) == 0)
    return process
  }
}
