import Glibc
import TestSupport
import Testing

/// Commands whose program is not there, which shows only when they are run.
@Suite struct MissingProgramTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `a program that is not there is told by a plan, and once in the log`() throws {
    try folder.write("", to: "plain")
    try folder.write("port: 1\n", to: "shop.yaml")
    try folder.write(
      """
      layers: [shop.yaml]
      targets:
        site:
          file: out
          content: "{{ port }}"
          run: [/bin/true]
          verify: [truncaet]
          required: false
        made: {file: made, content: a, check: ["\(folder.path("plain"))", "{{ staged }}"], required: false}
        told: {follows: port, run: ["{{ string(port) }}-made"], required: false}
      """, to: "settled.yaml")
    let first = "settled.yaml:7:14: warning: target 'site': there is no program 'truncaet'\n"
    let second = "warning: target 'made': '\(folder.path("plain"))' cannot be executed\n"
    let manifest = folder.path("settled.yaml")
    #expect(try run([builtProgram("settlectl"), "check", manifest]).errors == "")
    let plan = try run([builtProgram("settlectl"), "plan", manifest])
    #expect(plan.status == 0)
    #expect(plan.errors.contains(first))
    #expect(plan.errors.contains("hint: did you mean 'truncate'?"))
    #expect(plan.errors.contains(second))
    #expect(!plan.errors.contains("-made"))
    let daemon = try folder.startSettled()
    #expect(try folder.ask("reload").status == 0)
    try folder.write("port: 2\n", to: "shop.yaml")
    #expect(try folder.ask("reload").status == 0)
    for told in [first, second] { #expect(daemon.errors.split(separator: told).count == 2) }
    #expect(try folder.ask("plan").errors.contains(first), "who asks is told again")
  }

  @Test func `a program is looked for where its command runs`() throws {
    try folder.write("#!/bin/sh\n", to: "made")
    chmod(folder.path("made"), 0o755)
    try folder.write(
      """
      layers: []
      targets:
        site: {file: out, content: a, verify: [./made], run: [./gone], required: false}
      """, to: "settled.yaml")
    let errors = try run([builtProgram("settlectl"), "plan", folder.path("settled.yaml")]).errors
    let gone = "settled.yaml:3:57: warning: target 'site': there is no program './gone'"
    #expect(errors.contains(gone))
    #expect(!errors.contains("./made'"))
  }

  @Test func `where nothing is in force, an action that fails is told once`() throws {
    try folder.write(
      """
      layers: []
      targets:
        site: {file: out, content: a, run: [sh, -c, "exit 3"], retry: 0}
      """, to: "settled.yaml")
    let outcome = try run([
      builtProgram("settled"), "--once", "--manifest", folder.path("settled.yaml"),
      "--socket", folder.path("socket"), "--state-directory", folder.path("state"),
    ])
    #expect(outcome.status == 1)
    #expect(outcome.errors.split(separator: "exit status 3").count == 2)
  }

  @Test func `a manifest that is too large is told what to do, and so is a layer`() throws {
    let long = "# x\n" + String(repeating: "# a comment\n", count: 100_000)
    try folder.write("daemon: {limits: {file_size: 4MiB}}\nlayers: []\n" + long, to: "settled.yaml")
    let check = [builtProgram("settlectl"), "check", folder.path("settled.yaml")]
    let manifest = try run(check)
    #expect(manifest.errors.contains("larger than 1048576 bytes, the limit 'file_size'"))
    #expect(manifest.errors.contains("hint: the manifest itself is read up to the default; move"))
    try folder.write("layers: [shop.yaml]\n", to: "settled.yaml")
    try folder.write("a: 1\n" + long, to: "shop.yaml")
    #expect(try run(check).errors.contains("or raise 'file_size' in 'daemon: {limits: }'"))
    try folder.write(
      "daemon: {limits: {file_size: 4MiB}}\nlayers: [shop.yaml]\n", to: "settled.yaml")
    #expect(try run(check).errors == "")
  }
}
