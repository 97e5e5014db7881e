import Glibc
import TestSupport
import Testing

/// Plans that are made without a daemon, of what one applied.
@Suite struct PlanTests {
  let shop: FaultShop

  init() throws {
    shop = try FaultShop()
    #expect(try shop.once().status == 0)
  }

  private func plan(_ options: String...) throws -> ProgramOutcome {
    try run(
      [builtProgram("settlectl"), "plan", shop.path("settled.yaml"), "--exit-code"] + options)
  }

  @Test func `a plan without a daemon has what is to be removed and to be done again`() throws {
    let state = ["--state-directory", shop.path("state")]
    #expect(try plan(state[0], state[1]).status == 0)
    try shop.folder.write(
      """
      layers: [shop.yaml]
      targets:
        text: {file: out/text, content: "{{ text }}\\n"}
        told: {follows: port, run: ["false"], required: false}
      """, to: "settled.yaml")
    let names = names(in: shop.path("state"))
    let planned = try plan(state[0], state[1])
    #expect(planned.status == 10)
    #expect(planned.output.contains("remove \(shop.path("out/port"))"), "\(planned)")
    #expect(TestSupport.names(in: shop.path("state")) == names, "nothing is touched")
    // Of another state directory nothing is known.
    #expect(try !plan().output.contains("out/port"))
    #expect(try shop.once().status == 0)
    #expect(shop.out("port") == nil)
    let again = try plan(state[0], state[1])
    #expect(again.status == 10)
    #expect(again.output.contains("run 'false'"), "\(again)")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to become another user"))
  func `a state directory that cannot be read is told, not taken for empty`() throws {
    chmod(shop.folder.path, 0o755)
    let outcome = try run([
      "setpriv", "--reuid=54322", "--regid=54322", "--clear-groups", builtProgram("settlectl"),
      "plan", shop.path("settled.yaml"), "--state-directory", shop.path("state"),
    ])
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("Permission denied"), "\(outcome)")
  }
}
