import Glibc
import TestSupport
import Testing

/// What is done for a generation that stays in force, or comes back, since another one failed.
@Suite struct PutBackTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ targets: String, port: Int) throws {
    try folder.write("layers: [shop.yaml]\ntargets:\n\(targets)", to: "settled.yaml")
    try set(port: port)
  }

  private func set(port: Int) throws { try folder.write("port: \(port)\n", to: "shop.yaml") }

  private func applyOnce() throws -> ProgramOutcome {
    try run([
      builtProgram("settled"), "--once", "--manifest", folder.path("settled.yaml"),
      "--socket", folder.path("socket"), "--state-directory", folder.path("state"),
    ])
  }

  @Test func `a value that was acted upon is acted upon as before where its generation is refused`()
    throws
  {
    try write(
      """
        cache: {follows: port, run: [sh, -c, 'echo "$0" >>"$1"', "{{ port }}", \(folder.path("told"))]}
        site: {file: out, content: "{{ port }}", run: [sh, -c, 'test "$0" != 2', "{{ port }}"], retry: 0}

      """, port: 1)
    let daemon = try folder.startSettled()
    try daemon.wait { folder.read("told") == "1\n" }
    try set(port: 2)
    #expect(try folder.ask("reload").status == 1)
    let told = folder.read("told")?.split(separator: "\n") ?? []
    #expect(told.contains("2"))
    #expect(told.last == "1")
    #expect(folder.read("out") == "1")
  }

  @Test func `an action that fails for what was put back is done until it holds`() throws {
    try write(
      """
        site:
          file: out
          content: "{{ port }}"
          run: [sh, -c, 'test ! -e "$0/broken" && cp "$0/out" "$0/held"', \(folder.path)]
          retry: 0

      """, port: 1)
    let daemon = try folder.startSettled()
    try daemon.wait { folder.read("held") == "1" }
    try folder.write("", to: "broken")
    unlink(folder.path("held"))
    try set(port: 2)
    let refused = try folder.ask("reload")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("failed for what was put back as well"))
    unlink(folder.path("broken"))
    // Nothing but a new try does it: the inputs are refused still, and are not tried again.
    try daemon.wait { folder.read("held") == "1" }
    #expect(folder.read("out") == "1")
  }

  @Test(arguments: ["check: [grep, -q, '1', '{{ staged }}']", "run: [grep, -q, '1', '{{ file }}']"])
  func `a start on inputs that fail where they are applied comes up on the last good generation`(
    _ key: String
  ) throws {
    try write("  site: {file: out, content: '{{ port }}', \(key), retry: 0}\n", port: 1)
    #expect(try applyOnce().status == 0)
    try set(port: 2)
    let daemon = try folder.startSettled()
    try daemon.wait { (try? folder.ask("get", "port"))?.output == "1\n" }
    #expect(folder.read("out") == "1")
    #expect(try folder.ask("status").status == 1)
    try set(port: 1)
    #expect(try folder.ask("reload").status == 0)
    #expect(try folder.ask("status").status == 0)
  }

  @Test func `no input and no file of another target is overwritten through a link`() throws {
    for (link, target) in [("link", "shop.yaml"), ("other", "out")] {
      symlink(target, folder.path(link))
    }
    try write("  site: {file: link, content: wrong}\n", port: 1)
    let first = try applyOnce()
    #expect(first.errors.contains("would overwrite the input"))
    #expect(folder.read("shop.yaml") == "port: 1\n")
    try write("  site: {file: out, content: a}\n  same: {file: other, content: b}\n", port: 1)
    let second = try applyOnce()
    #expect(second.errors.contains("have one destination"))
    #expect(folder.read("out") == nil)
  }

  @Test func `the state directory is no place for a target`() throws {
    try write("  site: {file: state/applied.json, content: wrong}\n", port: 1)
    let outcome = try applyOnce()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("lies in the state directory"))
  }

  @Test func `a file that cannot be where it is wanted leaves nothing that stops the next start`()
    throws
  {
    try write("  site: {file: /proc/sys/nothing, content: wrong}\n", port: 1)
    #expect(try applyOnce().errors.contains("rolled back"))
    try write("  site: {file: out, content: '{{ port }}'}\n", port: 1)
    #expect(try applyOnce().status == 0)
    #expect(folder.read("out") == "1")
  }

  @Test func `a user that there is not is told by its name`() throws {
    try write("  site: {file: out, content: x, owner: nobody-of-this-name}\n", port: 1)
    #expect(try applyOnce().errors.contains("there is no user 'nobody-of-this-name'"))
    try write("  site: {file: out, content: x, owner: '4294967295'}\n", port: 1)
    #expect(try applyOnce().errors.contains("there is no user '4294967295'"))
  }

  @Test func `what is not required and fails its check stays, and all else is in force`() throws {
    try write(
      """
        extra:
          file: extra
          content: "{{ port }}"
          check: [sh, -c, 'test ! -e "$0/broken"', \(folder.path)]
          run: [sh, -c, 'cp "$0/extra" "$0/acted"', \(folder.path)]
          required: false
        site: {file: out, content: "{{ port }}"}

      """, port: 1)
    let daemon = try folder.startSettled()
    try daemon.wait { folder.read("acted") == "1" }
    try folder.write("", to: "broken")
    try set(port: 2)
    #expect(try folder.ask("reload").status == 0)
    #expect(folder.read("out") == "2")
    #expect(folder.read("extra") == "1")
    #expect(folder.read("acted") == "1")
    let status = try folder.ask("status")
    #expect(status.output.contains("degraded"))
    #expect(status.output.contains("'sh' failed: exit status 1"))
    #expect(status.output.contains("extra  failed   'sh': exit status 1"))
    unlink(folder.path("broken"))
    try daemon.wait { folder.read("acted") == "2" }
    #expect(folder.read("extra") == "2")
    try daemon.wait { (try? folder.ask("status"))?.status == 0 }
  }

  @Test func `what is not required and fails its verification is put back alone`() throws {
    try write(
      """
        extra: {file: extra, content: "{{ port }}", verify: [sh, -c, 'exit 3'], required: false}
        fresh: {file: /proc/settled-fresh, content: "{{ port }}", required: false}
        site: {file: out, content: "{{ port }}"}

      """, port: 1)
    let outcome = try applyOnce()
    #expect(folder.read("out") == "1")
    #expect(folder.read("extra") == nil)
    #expect(outcome.errors.contains("target 'extra': 'sh' failed: exit status 3"))
    #expect(outcome.errors.contains("target 'fresh'"))
    try write("  extra: {file: extra, content: \"{{ port }}\"}\n", port: 2)
    #expect(try applyOnce().status == 0)
    #expect(folder.read("extra") == "2")
  }

  @Test(arguments: ["echo theirs >out", "rm -f out"])
  func `a destination that somebody changes before the swap is planned for anew`(
    command: String
  ) throws {
    // It comes before the swap, and only once.
    let check = "[sh, -c, 'test -e done || { touch done; \(command); }']"
    let target = "  site: {file: out, content: \"{{ port }}\", check: \(check)}\n"
    try write(target, port: 1)
    if command != "echo theirs >out" { try folder.write("before", to: "out") }
    let outcome = try applyOnce()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(folder.read("out") == "1")
    let kept = names(in: folder.path("state/edited")).map { folder.read("state/edited/" + $0) }
    #expect(kept == (command.hasPrefix("rm") ? [] : ["theirs\n"]))
  }
}
