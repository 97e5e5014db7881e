import Glibc
import SettledInputs
import TestSupport
import Testing

struct WatchSetTests {
  typealias Look = WatchedFolder.Look

  @Test func `inputs in one directory share its watch`() throws {
    let folder = try WatchedFolder(
      [], layout: "mkdir conf; for i in $(seq 50); do : > conf/$i; done")
    #expect(folder.watcher.watchCount == 0)
    folder.watch((1...50).map { "conf/\($0)" })
    // The directories on the way, and the files themselves.
    let depth = folder.folder.path.split(separator: "/").count
    #expect(folder.watcher.watchCount == depth + 1 + 50)
    folder.watch(["conf/*"])
    #expect(folder.watcher.watchCount == depth + 1 + 50)
    folder.watch([])
    #expect(folder.watcher.watchCount == 0)
  }

  @Test func `an input is watched from when it is named until it is named no more`() throws {
    let folder = try WatchedFolder(["a"], layout: "echo 1 > a; echo 1 > b")
    try folder.run("echo 2 > b")
    #expect(folder.looks() == [])
    folder.watch(["a", "b", "conf/*"])
    try folder.run("echo 3 > a; echo 3 > b; mkdir conf")
    #expect(folder.looks() == [Look(moved: ["a", "b"], after: .zero)])
    folder.watch(["b"])
    try folder.run("echo 4 > a; echo 4 > b; echo 1 > conf/c")
    #expect(folder.looks() == [Look(moved: ["b"], after: .zero)])
  }

  @Test func `a file that is named and a drop-in as well stays watched for either`() throws {
    let folder = try WatchedFolder(["conf/*", "conf/a"], layout: "mkdir conf; echo 1 > conf/a")
    try folder.run("echo 2 > conf/a")
    #expect(folder.looks() == [Look(moved: ["conf/a"], after: .zero)])
    folder.watch(["conf/a"])
    try folder.run("echo 3 > conf/a; echo 1 > conf/b")
    #expect(folder.looks() == [Look(moved: ["conf/a"], after: .zero)])
    folder.watch(["conf/*"])
    try folder.run("echo 4 > conf/a")
    #expect(folder.looks() == [Look(moved: ["conf/a"], after: .zero)])
  }

  @Test func `naming the same inputs again keeps what is waited for`() throws {
    let folder = try WatchedFolder(["a", "conf/*"], layout: "mkdir conf; echo 1 > conf/b")
    try folder.run("echo 1 > a; rm conf/b")
    #expect(folder.looksAtOnce() == [])
    folder.watch(["conf/*", "a"])
    #expect(folder.looks() == [Look(moved: ["a", "conf/b"], after: .milliseconds(500))])
  }

  @Test func `changes while nothing is read are told when it is`() throws {
    let folder = try WatchedFolder(["a"])
    for round in 1...100 { try folder.folder.write("\(round)", to: "a") }
    #expect(folder.looks() == [Look(moved: ["a"], after: .zero)])
  }

  @Test func `links that lead nowhere or in a circle are awaited`() throws {
    let folder = try WatchedFolder(
      ["a", "b", "c/d"], layout: "ln -s b a; ln -s a b; ln -s nowhere/d c")
    try folder.run("rm b; echo 1 > b")
    #expect(folder.looks() == [Look(moved: ["a", "b"], after: .zero)])
    try folder.run("mkdir nowhere; ln -s .. nowhere/d; echo 1 > d")
    #expect(folder.looks().map(\.moved) == [["c/d"]])
  }

  @Test func `one inotify descriptor serves all inputs, and goes with the watcher`() throws {
    let folder = try TemporaryDirectory()
    do {
      let watcher = Watcher()
      let files = (0..<100).map { WatchedInput.file(folder.path("conf/\($0)")) }
      watcher.watch(files + [input(folder.path("*.d")), .file(folder.path("x/y"))], at: .now)
      #expect(descriptors(watching: folder.path) == 1)
      mkdir(folder.path("conf"), 0o755)
      for number in 0..<100 { try folder.write("1", to: "conf/\(number)") }
      _ = watcher.process(at: .now)
      #expect(descriptors(watching: folder.path) == 1)
    }
    #expect(descriptors(watching: folder.path) == 0)
  }

  /// The number of this process's descriptors that watch a directory (proc(5), `fdinfo`).
  private func descriptors(watching path: String) -> Int {
    var status = stat()
    stat(path, &status)
    let sign = " ino:" + String(status.st_ino, radix: 16) + " "
    return names(in: "/proc/self/fdinfo").count { name in
      let lines = readFile("/proc/self/fdinfo/" + name).map { String(decoding: $0, as: UTF8.self) }
      return lines?.contains("inotify wd:") == true && lines?.contains(sign) == true
    }
  }
}
