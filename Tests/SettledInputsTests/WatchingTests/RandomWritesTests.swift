import Glibc
import SettledInputs
import TestSupport
import Testing

/// What a thread does to `conf/app.yaml`, and to what is on the way there, without a plan.
private struct RandomWriter: Sendable {
  let folder: String
  /// Counts what was written, so that every state is another.
  var count = 0

  mutating func act(_ choice: Int) {
    count += 1
    let file = "conf/app.yaml"
    switch choice {
    case 0: write(file)
    case 1:
      write("conf/.new")
      move("conf/.new", file)
    case 2:
      move(file, file + "~")
      write(file)
      unlink(path(file + "~"))
    case 3: unlink(path(file))
    case 4:
      write("data-\(count)")
      symlink("../data-\(count)", path("conf/.link"))
      move("conf/.link", file)
    case 5:
      move("conf", "gone")
      write("gone/app.yaml")
      move("gone", "conf")
    case 6:
      removeTree(path("conf"))
      mkdir(path("conf"), 0o755)
      write(file)
    case 7:
      write("staged")
      unlink(path(file))
      link(path("staged"), path(file))
      unlink(path("staged"))
    case 8: append(file)
    default: write("conf/b.yaml~")
    }
  }

  private func path(_ name: String) -> String { folder + "/" + name }

  private func write(_ name: String) {
    try? writeFile(Array("\(count)".utf8), to: path(name))
  }

  private func append(_ name: String) {
    let descriptor = open(path(name), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    for _ in 0..<2 { _ = Glibc.write(descriptor, "+\(count)", 3) }
    close(descriptor)
  }

  private func move(_ from: String, _ to: String) { rename(path(from), path(to)) }
}

struct RandomWritesTests {
  /// The rounds, `SETTLED_WATCH_ROUNDS` or 60, of each test.
  static let rounds = environment("SETTLED_WATCH_ROUNDS").flatMap { Int($0) } ?? 60

  /// Reads what a loader would take: the file, or nil where there is none.
  private func load(_ folder: TemporaryDirectory) -> String? { folder.read("conf/app.yaml") }

  @Test(arguments: ["conf/app.yaml", "conf/*.yaml"], ["/tmp", "/dev/shm"])
  func `the last state is always looked at, in hundreds of rounds`(
    path: String, place: String
  ) throws {
    let folder = try TemporaryDirectory(in: place)
    mkdir(folder.path("conf"), 0o755)
    let watcher = Watcher(
      waits: .init(writer: .milliseconds(20), absence: .milliseconds(10)))
    watcher.watch([input(folder.path(path))], at: .now)
    let loop = try EventLoop()
    try watcher.attach(to: loop) {}
    defer { watcher.detach() }
    var loaded: String?
    for round in 0..<Self.rounds {
      let choices = (0..<4).map { _ in Int.random(in: 0..<10) }
      let gaps = choices.map { _ in useconds_t.random(in: 0...8) }
      let writer = RandomWriter(folder: folder.path, count: round * 100)
      try finish(loop, watcher) {
        var writer = writer
        for (choice, gap) in zip(choices, gaps) {
          usleep(gap * gap * 470)
          writer.act(choice)
        }
      } onLook: {
        loaded = load(folder)
      }
      #expect(loaded == load(folder), "round \(round): \(choices) after \(gaps)")
    }
    #expect(watcher.compare(at: .now) == .rest)
    #expect(watcher.missedByInotify == 0)
  }

  /// Runs `body` on a thread of its own, and the loop until all that it did is looked at.
  private func finish(
    _ loop: EventLoop, _ watcher: Watcher, body: @escaping @Sendable () -> Void,
    onLook: () -> Void
  ) throws {
    let end = try Mailbox<Bool>()
    var isOver = false
    let registration = try loop.deliver(end) { isOver = $0 }
    defer { loop.remove(registration) }
    startThread {
      body()
      end.post(true)
    }
    while true {
      switch watcher.process(at: .now) {
      case .look: onLook()
      case .wait(let until): try loop.turn(atMost: until - .now)
      case .rest where isOver: return
      case .rest: try loop.turn(atMost: .seconds(10))
      }
    }
  }
}
