import Generations
import Glibc
import SettledInputs
import SettledValues
import Targets
import TestSupport
import Testing

/// Destinations that are one with another, with an input, or in the way of one; those that can be
/// told from the manifest alone are among the refused cases.
@Suite struct ClashTests {
  private func shop(_ manifest: String, _ files: [String: String] = [:]) throws -> Shop {
    let shop = try Shop(["settled.yaml": manifest])
    try Directories.make(shop.directory.path("root/etc/conf.d"), mode: 0o755)
    for (name, text) in files { try shop.directory.write(text, to: name) }
    return shop
  }

  /// What is said of the refused inputs, nothing where they are taken.
  private func said(_ shop: Shop) -> String {
    do {
      _ = try shop.prepare()
      return ""
    } catch {
      return (error as? Refusal)?.text ?? "\(error)"
    }
  }

  @Test func `a drop-in is refused whether it is there or not, also through a linked directory`()
    throws
  {
    let shop = try shop(
      """
      layers: [root/etc/conf.d/*.yaml]
      targets:
        made: {file: /linked/made.yaml, content: "a: 1"}
      """)
    #expect(symlink("etc/conf.d", shop.directory.path("root/linked")) == 0)
    let first = said(shop)
    #expect(first.contains("which the layer 'root/etc/conf.d/*.yaml' takes in"))
    #expect(first.contains("settled.yaml:1:10: note: it is named here"))
    try shop.directory.write("a: 2\n", to: "root/etc/conf.d/made.yaml")
    #expect(said(shop) == first)
  }

  @Test func `a directory that is yet to be made counts where its links lead`() throws {
    let shop = try shop(
      """
      layers: [root/etc/conf.d/new/*.yaml]
      targets:
        made: {file: /linked/new/made.yaml, content: "a: 1"}
        one: {file: /etc/deep/x, content: a}
        two: {file: /linked/../deep/x, content: a}
      """)
    #expect(symlink("etc/conf.d", shop.directory.path("root/linked")) == 0)
    let said = said(shop)
    #expect(said.contains("the layer 'root/etc/conf.d/new/*.yaml' takes in"))
    #expect(said.contains("targets 'one' and 'two' have one destination"))
  }

  @Test(arguments: ["input.yaml", "conf.d/link.yaml"])
  func `a file that an input is a link to is that input`(link: String) throws {
    let shop = try shop(
      """
      layers: [{optional: root/etc/input.yaml}, root/etc/conf.d/*.yaml]
      targets: {real: {file: /real, content: "a: 1"}}
      """, ["root/real": "a: 2\n"])
    #expect(said(shop) == "")
    #expect(symlink(shop.directory.path("root/real"), shop.directory.path("root/etc/\(link)")) == 0)
    #expect(said(shop).contains("target 'real' would"))
    #expect(shop.text("/real") == "a: 2\n")
  }

  @Test func `links are told that lead to one file, also where one of them holds already`() throws {
    let shop = try shop(
      """
      layers: []
      targets:
        one: {file: /one, content: a}
        two: {file: /two, content: b}
      """, ["root/real": "a"])
    for name in ["one", "two"] {
      #expect(symlink("real", shop.directory.path("root/\(name)")) == 0)
    }
    #expect(said(shop).contains("targets 'one' and 'two' have one destination"))
    unlink(shop.directory.path("root/two"))
    #expect(try shop.settle().lines == ["create two"])
    unlink(shop.directory.path("root/two"))
    #expect(symlink("real", shop.directory.path("root/two")) == 0)
    #expect(said(shop).contains("'\(shop.directory.path("root/two"))' is a link to it"))
    unlink(shop.directory.path("root/one"))
    #expect(said(shop) == "", "nothing leads there but the second")
  }

  @Test func `a file stays that is wanted by another path now, or is an input now`() throws {
    let shop = try shop(
      """
      layers: []
      targets:
        moved: {file: /linked/file, content: "a: 1"}
        input: {file: /etc/base.yaml, content: "a: 1"}
        linked: {file: /link, content: "a: 1"}
      """, ["root/behind": "a: 1"])
    #expect(symlink("etc/conf.d", shop.directory.path("root/linked")) == 0)
    #expect(symlink("behind", shop.directory.path("root/link")) == 0)
    try shop.settle()
    try shop.directory.write(
      """
      layers: [root/etc/base.yaml]
      targets:
        moved: {file: /etc/conf.d/file, content: "a: 1"}
      """, to: "settled.yaml")
    let candidate = try shop.prepare()
    #expect(try shop.settle(candidate).lines == [])
    #expect(shop.text("/etc/conf.d/file") == "a: 1")
    #expect(
      candidate.warnings.map { $0.message.split(separator: ": ").last ?? "" } == [
        "it is an input", "what stands there is no regular file",
      ])
    #expect(said(shop) == "")
  }
}
