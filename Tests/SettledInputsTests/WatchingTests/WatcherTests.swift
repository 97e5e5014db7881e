import Glibc
import SettledInputs
import TestSupport
import Testing

/// A file that is held open for writing.
private final class Writer {
  private let descriptor: CInt

  init(_ path: String, _ flags: CInt = O_WRONLY | O_TRUNC | O_CREAT) {
    descriptor = open(path, flags | O_CLOEXEC, 0o644)
  }

  func write(_ text: String) {
    _ = Glibc.write(descriptor, text, text.utf8.count)
  }

  func finish() { close(descriptor) }
}

struct WatcherTests {
  typealias Look = WatchedFolder.Look

  @Test func `a file that is written is waited for until it is closed`() throws {
    let folder = try WatchedFolder(["a", "b"], layout: "echo 1 > a; echo 1 > b")
    let writer = Writer(folder.folder.path("a"))
    writer.write("half")
    #expect(folder.looksAtOnce() == [])
    try folder.run("echo 2 > b")
    #expect(folder.looksAtOnce() == [])
    folder.advance(by: .milliseconds(900))
    writer.write("and half")
    writer.finish()
    #expect(folder.looks() == [Look(moved: ["a", "b"], after: .zero)])
  }

  @Test(arguments: [true, false])
  func `a writer that never closes is waited for one second at most`(isThere: Bool) throws {
    let folder = try WatchedFolder(["a"], layout: isThere ? "echo 1 > a" : "")
    let writer = Writer(folder.folder.path("a"))
    defer { writer.finish() }
    for _ in 0..<9 {
      writer.write("more")
      #expect(folder.looksAtOnce() == [])
      folder.advance(by: .milliseconds(100))
    }
    #expect(folder.looks() == [Look(moved: ["a"], after: .milliseconds(100))])
    writer.write("more")
    #expect(folder.looks() == [Look(moved: ["a"], after: .seconds(1))])
  }

  @Test func `a change of attributes does not end the wait for a writer`() throws {
    let folder = try WatchedFolder(["a"], layout: "echo 1 > a")
    let writer = Writer(folder.folder.path("a"))
    #expect(folder.looksAtOnce() == [])
    try folder.run("chmod 600 a")
    #expect(folder.looksAtOnce() == [])
    writer.finish()
    #expect(folder.looksAtOnce() == [Look(moved: ["a"], after: .zero)])
  }

  @Test(arguments: ["a", "conf/*.yaml"])
  func `what vanished is waited for half a second`(path: String) throws {
    let folder = try WatchedFolder(
      [path], layout: "echo 1 > a; mkdir conf; echo 1 > conf/a.yaml; echo 1 > conf/b.yaml")
    let file = path == "a" ? "a" : "conf/a.yaml"
    try folder.run("rm \(file)")
    #expect(folder.looks() == [Look(moved: [file], after: .milliseconds(500))])
    try folder.run("mkdir -p next; echo 2 > next/x; mv next/x \(file)")
    #expect(folder.looks() == [Look(moved: [file], after: .zero)])
    try folder.run("rm \(file)")
    #expect(folder.looksAtOnce() == [])
    folder.advance(by: .milliseconds(300))
    try folder.run("echo 2 > \(file)")
    #expect(folder.looks() == [Look(moved: [file], after: .zero)])
  }

  @Test func `drop-ins that come, go and change their names are looked at`() throws {
    let folder = try WatchedFolder(["conf/*.yaml"], layout: "mkdir conf")
    try folder.run("echo 1 > conf/a.yaml")
    #expect(folder.looks() == [Look(moved: ["conf/a.yaml"], after: .zero)])
    try folder.run("mv conf/a.yaml conf/b.yaml")
    #expect(
      folder.looks() == [Look(moved: ["conf/a.yaml", "conf/b.yaml"], after: .milliseconds(500))])
    try folder.run("ln -s ../real conf/c.yaml; echo 1 > real")
    #expect(folder.looks().map(\.moved) == [["conf/c.yaml"]])
    try folder.run("echo 2 > real")
    #expect(folder.looks() == [Look(moved: ["conf/c.yaml"], after: .zero)])
    try folder.run("rm conf/b.yaml")
    #expect(folder.looks() == [Look(moved: ["conf/b.yaml"], after: .milliseconds(500))])
  }

  @Test func `a directory of drop-ins may come, go and come again while someone stands in it`()
    throws
  {
    let folder = try WatchedFolder(["conf/*.yaml"])
    for round in 1...3 {
      try folder.run("mkdir conf")
      #expect(folder.looks() == [])
      let held = open(folder.folder.path("conf"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(held) }
      if round != 2 {
        try folder.run("echo 1 > conf/a.yaml")
        #expect(folder.looks() == [Look(moved: ["conf/a.yaml"], after: .zero)])
        try folder.run("rm conf/a.yaml")
        #expect(folder.looks() == [Look(moved: ["conf/a.yaml"], after: .milliseconds(500))])
      }
      try folder.run("rmdir conf")
      #expect(folder.looks() == [])
    }
  }

  @Test func `a file in a directory that someone holds may go and come again with it`() throws {
    let folder = try WatchedFolder(["conf/sub/a"], layout: "mkdir -p conf/sub; echo 1 > conf/sub/a")
    let held = open(folder.folder.path("conf/sub"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(held) }
    try folder.run("rm -r conf")
    #expect(folder.looks() == [Look(moved: ["conf/sub/a"], after: .milliseconds(500))])
    try folder.run("mkdir conf")
    #expect(folder.looks() == [])
    try folder.run("mkdir conf/sub")
    #expect(folder.looks() == [])
    try folder.run("echo 1 > conf/sub/a")
    #expect(folder.looks() == [Look(moved: ["conf/sub/a"], after: .zero)])
  }

  @Test(arguments: ["a.yaml~", ".a.yaml", "#a.yaml#", "4913", "a.yaml.swp", "a.yml", "z"])
  func `what is not taken is not looked at`(name: String) throws {
    let folder = try WatchedFolder(["conf/*.yaml", "a"], layout: "mkdir conf; echo 1 > a")
    try folder.run("echo 1 > 'conf/\(name)'; echo 2 > 'conf/\(name)'; echo 1 > '\(name)'")
    #expect(folder.looks() == [])
    try folder.run("mv 'conf/\(name)' conf/other; rm '\(name)'")
    #expect(folder.looks() == [])
  }

  @Test func `a directory of drop-ins that cannot be read is looked at`() throws {
    let folder = try WatchedFolder(["conf/*.yaml"], layout: "mkdir conf; echo 1 > conf/a.yaml")
    try folder.run("mv conf gone; echo 1 > conf")
    #expect(folder.looks().last?.moved.contains("conf/*.yaml") == true)
    try folder.run("mv conf file; mv gone conf")
    #expect(folder.looks() == [Look(moved: ["conf/a.yaml"], after: .zero)])
  }

  @Test func `a directory away for a moment is no look, one away for longer is two`() throws {
    let folder = try WatchedFolder(["conf/a"], layout: "mkdir conf; echo 1 > conf/a")
    try folder.run("mv conf gone; mv gone conf")
    #expect(folder.looks() == [])
    try folder.run("mv conf gone")
    #expect(folder.looks() == [Look(moved: ["conf/a"], after: .milliseconds(500))])
    try folder.run("mv gone conf")
    #expect(folder.looks() == [Look(moved: ["conf/a"], after: .zero)])
  }

  @Test func `a quiet time gathers a deployment of many files`() throws {
    let waits = WatchSchedule.Waits(quiet: .milliseconds(100))
    let folder = try WatchedFolder(["a", "conf/*"], layout: "mkdir conf", waits: waits)
    for name in ["a", "conf/b", "conf/c"] {
      try folder.run("echo 1 > \(name)")
      #expect(folder.looksAtOnce() == [])
      folder.advance(by: .milliseconds(60))
    }
    #expect(folder.looks() == [Look(moved: ["a", "conf/b", "conf/c"], after: .milliseconds(40))])
  }

  @Test func `a file directly below the root is watched`() throws {
    let name = "/settled-\(getpid())-\(UInt32.random(in: 0 ... .max)).yaml"
    let watcher = Watcher()
    watcher.watch([.file(name), input("/settled-\(getpid())-*.yml")], at: .now)
    guard (try? writeFile([1], to: name)) != nil else { return }
    defer { removeTree(name) }
    #expect(watcher.process(at: .now) == .look([name]))
    try writeFile([1], to: name.replacing(".yaml", with: ".yml"))
    removeTree(name.replacing(".yaml", with: ".yml"))
    try writeFile([2], to: name)
    #expect(watcher.process(at: .now) == .look([name]))
  }

  @Test func `a relative path is watched, and told as it was given`() throws {
    let folder = try TemporaryDirectory()
    let up = String(repeating: "../", count: 40)
    let (file, glob) = (up + folder.path("a").dropFirst(), up + folder.path("*.d").dropFirst())
    let watcher = Watcher()
    watcher.watch([.file(file), input(glob)], at: .now)
    try folder.write("1", to: "a")
    try folder.write("1", to: "b.d")
    #expect(watcher.process(at: .now) == .look([file, up + folder.path("b.d").dropFirst()]))
  }

  @Test(arguments: ["conf/a", "conf/a*", "link/a"])
  func `a mount over a directory or a file is looked at, where this user may mount`(
    path: String
  ) throws {
    let layout = "mkdir conf next; ln -s conf link; echo 1 > conf/a; echo 2 > next/a"
    let folder = try WatchedFolder([path], layout: layout + "; touch -d -1min conf/a next/a")
    guard (try? folder.run("mount --bind next conf 2> /dev/null")) != nil else { return }
    let look = Look(moved: [path.replacing("*", with: "")], after: .zero)
    #expect(folder.looks() == [look])
    try folder.run("umount conf")
    #expect(folder.looks() == [look])
    try folder.run("mount --bind next/a conf/a")
    #expect(folder.looks() == [look])
    try folder.run("echo 3 > next/a")
    #expect(folder.looks() == [look])
    try folder.run("umount conf/a")
    #expect(folder.looks() == [look])
    #expect(folder.watcher.compare(at: folder.now) == .rest)
  }

  @Test func `a loop that the watcher is attached to wakes up for it, and for nothing else`() throws
  {
    let folder = try WatchedFolder(["conf/a"], layout: "mkdir conf")
    let loop = try EventLoop()
    var wakes = 0
    try folder.watcher.attach(to: loop) { wakes += 1 }
    try loop.turn(atMost: .zero)
    #expect(wakes == 0)
    try folder.run("echo 1 > other; rm other; ls conf; cat /dev/null; echo 1 > conf/a")
    try loop.turn()
    #expect(wakes == 1)
    #expect(folder.looks() == [Look(moved: ["conf/a"], after: .zero)])
    try folder.run("echo 1 > other; rm other; cat conf/a; ls conf > /dev/null")
    try loop.turn(atMost: .zero)
    #expect(wakes == 1)
    folder.watcher.detach()
    try folder.run("echo 2 > conf/a")
    try loop.turn(atMost: .zero)
    #expect(wakes == 1)
  }
}
