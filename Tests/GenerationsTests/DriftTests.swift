import Generations
import Glibc
import SettledValues
import Targets
import TestSupport
import Testing

@Suite struct DriftTests {
  let shop: Shop

  init() throws {
    shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      targets:
        told: {file: /told, content: "{{ port }}", mode: "0644", run: [told]}
        mended: {file: /mended, content: "{{ port }}", drift: repair, run: [mended]}
      """,
      "shop.yaml": "port: 80\n",
    ])
    try shop.settle()
  }

  private func drifts(_ candidate: Candidate) -> [String: String] {
    candidate.drifts.mapValues(\.description)
  }

  @Test func `what settled wrote itself is no drift`() throws {
    try shop.directory.write("port: 81\n", to: "shop.yaml")
    try shop.settle()
    let candidate = try shop.look()
    #expect(candidate.plan.isEmpty)
    #expect(candidate.drifts == [:])
  }

  @Test func `an edited file is told, and stays`() throws {
    try shop.directory.write("by hand", to: "root/told")
    for _ in 0..<2 {
      let candidate = try shop.settle(try shop.look())
      #expect(candidate.isEmpty)
    }
    #expect(drifts(try shop.look()) == ["told": "edited by hand"])
    #expect(shop.text("/told") == "by hand")
    try shop.directory.write("80", to: "root/told")
    #expect(try shop.look().drifts == [:], "somebody has put it back")
  }

  @Test func `a removed file and changed rights are told`() throws {
    #expect(chmod(shop.directory.path("root/told"), 0o600) == 0)
    #expect(
      drifts(try shop.look()) == [
        "told": "given other rights by hand (to be put back: mode 0600 -> 0644)"
      ])
    unlink(shop.directory.path("root/told"))
    #expect(drifts(try shop.look()) == ["told": "removed by hand"])
  }

  @Test(arguments: [false, true])
  func `what cannot be put back holds nothing else up`(restarts: Bool) throws {
    unlink(shop.directory.path("root/told"))
    mkdir(shop.directory.path("root/told"), 0o755)
    try shop.directory.write("by hand", to: "root/mended")
    if restarts { try shop.restart() }
    let candidate = restarts ? try shop.prepare() : try shop.look()
    let path = shop.directory.path("root/told")
    #expect(
      drifts(candidate) == [
        "told": "put out of reach by hand (cannot replace '\(path)': Is a directory)"
      ])
    #expect(candidate.plan.files.map(\.desired.target) == ["mended"])
    try shop.settle(candidate)
    #expect(throws: Refusal.self, "who asks for it is told") {
      try shop.look(scope: .targets(["told"]))
    }
    rmdir(path)
    #expect(drifts(try shop.look()) == ["told": "removed by hand"])
  }

  @Test func `a file to be repaired is put back, and its action done`() throws {
    try shop.directory.write("by hand", to: "root/mended")
    let candidate = try shop.look()
    #expect(candidate.plan.lines == ["replace mended", "run 'mended'"])
    #expect(candidate.plan.reasons == ["mended": "because the file was edited by hand"])
    #expect(candidate.plan.files.map(\.keepsStanding) == [true])
    try shop.settle(candidate)
    #expect(shop.text("/mended") == "80")
    #expect(try shop.look().drifts == [:])
  }

  @Test func `a target that is asked for is put back, and acts, drifted or not`() throws {
    try shop.directory.write("by hand", to: "root/told")
    let candidate = try shop.look(scope: .targets(["told"]))
    #expect(candidate.plan.lines == ["replace told", "run 'told'"])
    #expect(
      candidate.plan.reasons == [
        "told": "because somebody asked for it; the file was edited by hand"
      ])
    try shop.settle(candidate)
    #expect(try shop.look(scope: .all).plan.lines == ["run 'told'", "run 'mended'"])
    #expect(throws: Refusal.self) { try shop.look(scope: .targets(["tol"])) }
  }

  @Test func `the next change of a target overwrites what was edited, and keeps it`() throws {
    try shop.directory.write("by hand", to: "root/told")
    try shop.directory.write("port: 81\n", to: "shop.yaml")
    let plan = try shop.settle()
    #expect(plan.lines == ["replace told", "replace mended", "run 'told'", "run 'mended'"])
    #expect(plan.files.map(\.keepsStanding) == [true, false])
    #expect(shop.text("/told") == "81")
  }

  @Test func `what was edited while settled was down is drift too`() throws {
    try shop.directory.write("by hand", to: "root/told")
    unlink(shop.directory.path("root/mended"))
    try shop.restart()
    let candidate = try shop.prepare()
    #expect(candidate.plan.lines == ["create mended", "run 'mended'"])
    #expect(drifts(candidate) == ["told": "edited by hand"])
  }

  @Test func `a file that is gone when settled starts is made again, whatever is wanted of drift`()
    throws
  {
    unlink(shop.directory.path("root/told"))
    try shop.restart()
    let plan = try shop.settle()
    #expect(plan.lines == ["create told", "run 'told'"])
    #expect(plan.reasons == ["told": "because the file is not there"])
    #expect(shop.text("/told") == "80")
  }

  @Test func `what changed while settled was down is no drift`() throws {
    try shop.directory.write("port: 81\n", to: "shop.yaml")
    try shop.restart()
    let candidate = try shop.prepare()
    #expect(candidate.plan.lines.prefix(2) == ["replace told", "replace mended"])
    #expect(candidate.drifts == [:])
  }

  @Test func `what failed before is not tried by a look, and is not forgotten`() throws {
    try shop.directory.write("port: 81\n", to: "shop.yaml")
    try shop.settle(pending: ["told"])
    let candidate = try shop.look()
    #expect(candidate.plan.isEmpty)
    #expect(candidate.keptPending == ["told"])
    #expect(try shop.look(scope: .targets(["told"])).keptPending == [])
  }
}
