import Generations
import SettledValues
import Targets
import TestSupport
import Testing

/// Targets that are deleted from the manifest, with what they asked for.
@Suite struct RemovedTargetTests {
  let shop: Shop

  init() throws {
    shop = try Shop([
      "settled.yaml": Self.manifest(
        """
          site:
            file: /site
            content: a
            run: [refresh, all]
            reload: nginx.service
            signal: {unit: proxy.service, name: USR1}
          vhost: {each: hosts, file: "/hosts/{{ each.key }}", make_directories: true, content: h, restart: web.service}
          reader: {file: /reader, content: r, run: [tell, "{{ port }}"], required: false}
          told: {file: /told, content: t, run: [forget, "{{ file }}"]}
        """),
      "shop.yaml": "port: 80\nhosts: {one: 1, two: 2}\n",
    ])
    try shop.settle()
  }

  private static func manifest(_ targets: String) -> String {
    "layers: [shop.yaml]\ntargets:\n  kept: {file: /kept, content: k}\n" + targets
  }

  private func deleteTargets() throws {
    try shop.directory.write(Self.manifest(""), to: "settled.yaml")
  }

  private static let removal = [
    "remove reader", "remove site", "remove told", "remove vhost[one]", "remove vhost[two]",
    "run 'refresh'", "reload nginx.service", "send SIGUSR1 to proxy.service", "run 'forget'",
    "restart web.service",
  ]

  @Test(arguments: [false, true])
  func `have their files removed and their actions done, once each`(restarts: Bool) throws {
    try deleteTargets()
    if restarts { try shop.restart() }
    let plan = try shop.settle()
    #expect(plan.lines == Self.removal)
    guard case .run(let command) = plan.actions[0].action else {
      Issue.record("the command comes first")
      return
    }
    #expect(command.arguments == ["refresh", "all"])
    #expect(
      command.environment == [
        "SETTLED_TARGET": "site", "SETTLED_FILE": shop.directory.path("root/site"),
      ])
    guard case .run(let command) = plan.actions[3].action else {
      Issue.record("the command that names the file comes fourth")
      return
    }
    #expect(command.arguments == ["forget", shop.directory.path("root/told")])
    #expect(plan.actions[4].targets == ["vhost[one]", "vhost[two]"])
    #expect(try shop.prepare().plan.isEmpty, "what was done is not done again")
  }

  @Test func `are tried again where their actions fail, until they are done`() throws {
    try deleteTargets()
    try shop.settle(pending: ["site"])
    let again = ["run 'refresh'", "reload nginx.service", "send SIGUSR1 to proxy.service"]
    #expect(try shop.look().plan.isEmpty, "a look at files tries nothing")
    #expect(try shop.look().keptPending == ["site"])
    try shop.restart(pending: ["site"])
    #expect(try shop.settle(pending: ["site"]).lines == again)
    #expect(try shop.settle().lines == again)
    #expect(try shop.settle().lines == [])
  }

  @Test func `refuse nothing where an action for their going fails`() throws {
    try deleteTargets()
    let plan = try shop.prepare().plan
    #expect(plan.actions.count == 5)
    #expect(plan.actions.allSatisfy { !$0.isRequired })
  }

  @Test(arguments: [false, true])
  func `leave what stood there before, unless settled wrote it since`(restarts: Bool) throws {
    // Both are as they are wanted, and nothing is written.
    try shop.directory.write("old", to: "root/found")
    try shop.directory.write("old", to: "root/changed")
    func want(_ text: String) throws {
      let targets = [
        "found: {file: /found, content: old}", "changed: {file: /changed, content: \(text)}",
      ]
      try shop.directory.write(
        Self.manifest(targets.map { "  \($0)\n" }.joined()), to: "settled.yaml")
    }
    try want("old")
    #expect(try !shop.settle().lines.contains { $0.hasSuffix("found") || $0.hasSuffix("changed") })
    if restarts { try shop.restart() }
    try want("new")
    #expect(try shop.settle().lines == ["replace changed"])
    if restarts { try shop.restart() }
    try deleteTargets()
    let candidate = try shop.prepare()
    #expect(candidate.plan.lines == ["remove changed"])
    #expect(
      candidate.warnings.map(\.message) == [
        "'\(shop.directory.path("root/found"))' is wanted no more, and stays: it stood there as it is "
          + "before settled wanted it"
      ])
    try shop.settle(candidate)
    #expect(shop.text("/found") == "old")
    #expect(shop.text("/changed") == nil)
  }

  @Test func `that come back have nothing to be done for their going`() throws {
    let text = shop.directory.read("settled.yaml") ?? ""
    try deleteTargets()
    try shop.settle(pending: ["site"])
    try shop.directory.write(text, to: "settled.yaml")
    let plan = try shop.settle()
    #expect(
      plan.lines == [
        "create site", "create vhost[one]", "create vhost[two]", "create reader", "create told",
        "run 'refresh'", "reload nginx.service", "send SIGUSR1 to proxy.service",
        "restart web.service", "run 'tell'", "run 'forget'",
      ])
    #expect(try shop.prepare().plan.isEmpty)
  }
}
