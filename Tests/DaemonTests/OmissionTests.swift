import Glibc
import TestSupport
import Testing

/// What is in the way of one target's file only.
@Suite struct OmissionTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ targets: String, port: Int = 1) throws {
    try folder.write("layers: [shop.yaml]\ntargets:\n\(targets)", to: "settled.yaml")
    try set(port: port)
  }

  private func set(port: Int) throws { try folder.write("port: \(port)\n", to: "shop.yaml") }

  @Test(arguments: [false, true])
  func `a directory that is missing keeps back only what is not required, until it is there`(
    isFile: Bool
  ) throws {
    try write(
      """
        extra:
          file: gone/extra
          content: "{{ port }}"
          run: [sh, -c, 'cp "$0/gone/extra" "$0/acted"', \(folder.path)]
          required: false
        site: {file: out, content: "{{ port }}"}

      """)
    if isFile { try folder.write("", to: "gone") }
    let daemon = try folder.startSettled()
    try daemon.wait { folder.read("out") == "1" }
    try set(port: 2)
    #expect(try folder.ask("reload").status == 0)
    #expect(folder.read("out") == "2")
    let status = try folder.ask("status")
    #expect(status.status == 1)
    #expect(status.output.contains("extra  failed   the file: cannot "))
    let way = isFile ? "a file stands where a directory is needed" : "create it, correct the path"
    #expect(status.output.contains("; " + way))
    let plan = try folder.ask("plan")
    #expect(plan.status == 0)
    #expect(plan.errors.contains("settled.yaml:4:11: error: target 'extra': cannot "))
    if isFile { unlink(folder.path("gone")) }
    #expect(mkdir(folder.path("gone"), 0o755) == 0)
    try daemon.wait { folder.read("acted") == "2" }
    try daemon.wait { (try? folder.ask("status"))?.status == 0 }
  }

  @Test(arguments: [("failed ", false), ("drifted", true)])
  func `a directory that goes is told until it is back, and holds up nothing else`(
    state: String, isRequired: Bool
  ) throws {
    try write(
      """
        extra: {file: there/extra, content: a, drift: repair, required: \(isRequired)}
        site: {file: out, content: "{{ port }}"}

      """)
    #expect(mkdir(folder.path("there"), 0o755) == 0)
    let daemon = try folder.startSettled()
    try daemon.wait { folder.read("out") == "1" }
    #expect(rename(folder.path("there"), folder.path("away")) == 0)
    #expect(try folder.ask("reload").status == 0)
    #expect(try folder.ask("status").output.contains("extra  \(state)"))
    try set(port: 2)
    try daemon.wait { folder.read("out") == "2" }
    #expect(try folder.ask("status").output.contains("extra  \(state)"))
    #expect(rename(folder.path("away"), folder.path("there")) == 0)
    try daemon.wait { (try? folder.ask("status"))?.status == 0 }
    #expect(folder.read("there/extra") == "a")
  }

  @Test(arguments: [
    ("/proc/settled-made/one", "cannot create '/proc/settled-made'"),
    ("dangling/one/two", "cannot follow the link '"),
  ])
  func `a directory that cannot be made keeps back only what is not required`(
    path: String, said: String
  ) throws {
    #expect(symlink("nothing", folder.path("dangling")) == 0)
    try write(
      """
        extra: {file: \(path), content: a, make_directories: true, required: false}
        site: {file: out, content: a}

      """)
    let daemon = try folder.startSettled()
    try daemon.wait { folder.read("out") == "a" }
    let status = try folder.ask("status").output
    #expect(status.contains("extra  failed   the file: " + said))
  }

  @Test func `what cannot be staged is told by the name it will have, once for all tries`() throws {
    try write("  site: {file: /proc/sys/settled, content: a, required: false}\n")
    let daemon = try folder.startSettled()
    #expect(try folder.ask("reload").status == 0)
    // Two more tries, a second and two seconds later.
    let passes = (3...9).map { "settled_reload_duration_seconds_count \($0)\n" }
    try daemon.wait {
      let metrics = (try? folder.ask("metrics"))?.output ?? ""
      return passes.contains { metrics.contains($0) }
    }
    let told = daemon.errors.split(separator: "error: target 'site': cannot ").dropFirst()
    #expect(told.allSatisfy { $0.hasPrefix("make a file beside '/proc/sys/settled': ") })
    // At the start, and for who asked.
    #expect(told.count == 2)
    #expect(!daemon.errors.contains(".settled-"))
  }

  @Test func `an owner is looked up where the file is put into place, and not by a check`() throws {
    try write(
      """
        extra: {file: extra, content: a, owner: no-such-user, required: false}
        site: {file: out, content: a}

      """)
    let manifest = folder.path("settled.yaml")
    let check = try run([builtProgram("settlectl"), "check", manifest])
    #expect(check.output == "ok: 2 inputs, 2 targets\n")
    #expect(check.errors == "")
    let daemon = try folder.startSettled()
    try daemon.wait { folder.read("out") == "a" }
    let told = "extra  failed   the file: there is no user 'no-such-user'; create it"
    #expect(try folder.ask("status").output.contains(told))
    try write("  extra: {file: extra, content: a, owner: 'a:b:c'}\n")
    #expect(try run([builtProgram("settlectl"), "check", manifest]).status == 1)
    try write("  extra: {file: extra, content: a, owner: no-such-user}\n")
    let plan = try run([builtProgram("settlectl"), "plan", manifest])
    #expect(plan.status == 1)
    #expect(plan.errors.contains("settled.yaml:3:43: error: target 'extra': there is no user"))
  }

  @Test func `what a generation is rolled back for is told before what it could do without`() throws
  {
    let targets = """
        extra: {file: extra, content: "{{ port }}", check: ["false"], required: false}
        site: {file: out, content: "{{ port }}", run: [test, "{{ port }}", -lt, "2"], retry: 0}

      """
    try write(targets)
    let daemon = try folder.startSettled()
    try daemon.wait { folder.read("out") == "1" }
    try set(port: 2)
    #expect(try folder.ask("reload").status == 1)
    let status = try folder.ask("status").output
    let cause = "settled.yaml:4:3: error: target 'site': run 'test' failed: exit status 1"
    #expect(status.contains("  rolled back: \(cause); generation 1 kept"))
    #expect(folder.read("out") == "1")
  }
}
