import Generations
import Targets
import TestSupport
import Testing

@Suite struct ReasonTests {
  let shop: Shop

  init() throws {
    shop = try Shop([
      "settled.yaml": Self.manifest,
      "shop.yaml": "host: a\nport: 80\nname: shop\nsites:\n  x: {size: 1}\n",
      "page.tmpl": "{% include 'part.tmpl' %} {{ name }}",
      "part.tmpl": "part",
    ])
    try shop.settle()
  }

  private static let manifest = """
    layers: [shop.yaml]
    derived:
      listen: host + ":" + string(port)
    targets:
      listen: {file: /listen, content: "{{ listen }}"}
      page: {file: /page, template: page.tmpl}
      site: {each: sites, as: site, file: "/site-{{ site.key }}", content: "{{ site.value.size }}"}
      act: {follows: port, run: [act]}
    """

  @Test func `a changed setting is told with its place, also through a derived value`() throws {
    try shop.directory.write(
      "host: a\nname: store\nport: 81\nsites:\n  x: {size: 1}\n", to: "shop.yaml")
    let plan = try shop.settle()
    #expect(
      plan.reasons == [
        "listen": "because port changed, shop.yaml:3", "page": "because name changed, shop.yaml:2",
      ])
    #expect(plan.actions.map(\.reasons.text) == ["because port changed, shop.yaml:3"])
  }

  @Test func `a setting that went is told by the map in which it was looked for`() throws {
    try shop.directory.write(
      """
      layers: [shop.yaml]
      targets:
        tag: {file: /tag, content: "{{ has(settings.tag) ? settings.tag : 'none' }}"}
      """, to: "settled.yaml")
    try shop.directory.write("tag: new\n", to: "shop.yaml")
    #expect(try shop.settle().reasons["tag"] == "because the target is new")
    try shop.directory.write("other: 1\n", to: "shop.yaml")
    #expect(try shop.settle().reasons == ["tag": "because settings changed, shop.yaml:1"])
  }

  @Test func `a template, and one that it includes, is told`() throws {
    try shop.directory.write("part of it", to: "part.tmpl")
    #expect(try shop.settle().reasons == ["page": "because its template page.tmpl changed"])
  }

  @Test func `keys of the manifest are told, together with settings`() throws {
    let manifest = Self.manifest.replacing(
      "content: \"{{ listen }}\"", with: "content: \"{{ port }}\"")
    try shop.directory.write(manifest, to: "settled.yaml")
    #expect(
      try shop.settle().reasons == ["listen": "because its 'content' changed, settled.yaml:5"])
    try shop.directory.write(
      manifest.replacing("template: page.tmpl", with: "template: page.tmpl, mode: \"0600\""),
      to: "settled.yaml")
    try shop.directory.write(
      "host: a\nname: store\nport: 80\nsites:\n  x: {size: 1}\n", to: "shop.yaml")
    #expect(
      try shop.settle().reasons == [
        "page": "because name changed, shop.yaml:2; its 'mode' changed, settled.yaml:6"
      ])
  }

  @Test func `an entry that came or went is told`() throws {
    try shop.directory.write(
      "host: a\nport: 80\nname: shop\nsites:\n  y: {size: 1}\n", to: "shop.yaml")
    #expect(
      try shop.settle().reasons == [
        "site[y]": "because sites.y.size changed, shop.yaml:5",
        "site[x]": "because it is wanted no more",
      ])
  }

  @Test func `many changed settings are told up to a limit`() throws {
    let names = (0..<9).map { "s\($0)" }
    try shop.directory.write(
      """
      layers: [shop.yaml]
      targets: {all: {file: /all, content: "\(names.map { "{{ \($0) }}" }.joined())"}}
      """, to: "settled.yaml")
    try shop.directory.write(names.map { "\($0): 1\n" }.joined(), to: "shop.yaml")
    try shop.settle()
    try shop.directory.write(names.map { "\($0): 2\n" }.joined(), to: "shop.yaml")
    let told = (0..<5).map { "s\($0) changed, shop.yaml:\($0 + 1)" }.joined(separator: "; ")
    #expect(try shop.settle().reasons == ["all": "because \(told); and more"])
  }

  @Test func `without a generation in force only what stands there tells why`() throws {
    let other = try Shop([
      "settled.yaml": Self.manifest, "shop.yaml": "host: a\nport: 80\nname: shop\nsites: {}\n",
      "page.tmpl": "x", "part.tmpl": "",
    ])
    try other.directory.write("", to: "root")
    removeTree(other.directory.path("root"))
    #expect(
      try other.prepare().plan.reasons == [
        "listen": "because the file is not there", "page": "because the file is not there",
      ])
  }

  @Test func `what failed before is told`() throws {
    try shop.directory.write(
      "host: a\nport: 81\nname: shop\nsites:\n  x: {size: 1}\n", to: "shop.yaml")
    try shop.settle(pending: ["act"])
    let plan = try shop.prepare().plan
    #expect(plan.actions.map(\.reasons.text) == ["because its action failed before"])
  }
}
