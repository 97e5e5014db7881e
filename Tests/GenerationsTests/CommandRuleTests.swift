import Generations
import SettledValues
import Targets
import TestSupport
import Testing

/// Commands as the manifest has them, and as they are run.
@Suite struct CommandRuleTests {
  private func shop(_ target: String, _ settings: String = "port: 80\n") throws -> Shop {
    try Shop([
      "settled.yaml": "layers: [shop.yaml]\ntargets:\n  site: \(target)\n", "shop.yaml": settings,
    ])
  }

  private func command(_ step: ActionStep?) -> Command? {
    if case .run(let command)? = step?.action { command } else { nil }
  }

  @Test func `an argument may be empty, and so may a file`() throws {
    let shop = try shop(#"{file: /site, content: "", run: [tell, "", "{{ port }}"]}"#)
    let plan = try shop.settle()
    #expect(command(plan.actions.first)?.arguments == ["tell", "", "80"])
    #expect(shop.text("/site") == "")
  }

  @Test func `a program without a name is refused`() throws {
    let refusal = #expect(throws: Refusal.self) {
      try shop(#"{file: /site, content: x, run: ["", a]}"#).prepare()
    }
    #expect(refusal?.diagnostics.map(\.message) == ["expected text"])
  }

  @Test func `a NUL in an argument is refused, which would end it there`() throws {
    let refusal = #expect(throws: Refusal.self) {
      try shop(#"{follows: name, run: [tell, "{{ name }}"]}"#, "name: \"a\\0b\"\n").prepare()
    }
    #expect(
      refusal?.diagnostics.map(\.message) == [
        "target 'site': what the command is told holds a NUL character"
      ])
  }

  @Test func `all commands run in the directory of the manifest`() throws {
    let shop = try shop(
      "{file: /site, content: x, check: [./look, \"{{ staged }}\"], verify: [./see], run: [./act]}")
    let plan = try shop.prepare().plan
    let commands = plan.checks.map(\.command) + plan.verifications.map(\.command)
    #expect(
      (commands + [command(plan.actions.first)]).map { $0?.directory }
        == Array(repeating: shop.directory.path, count: 3))
  }
}
