import Glibc
import TestSupport
import Testing

/// An input that is being written when somebody asks for a reload, or another one moves.
struct HalfWrittenTests {
  private let folder: TemporaryDirectory
  private let daemon: RunningProgram

  init() throws {
    folder = try TemporaryDirectory()
    mkdir(folder.path("out"), 0o755)
    try folder.write("page: one\n", to: "shop.yaml")
    try folder.write("{{ page }} whole\n", to: "page.tmpl")
    try folder.write(
      """
      layers: [shop.yaml]
      targets: {page: {file: out/page, template: page.tmpl, check: [touch, '\(folder.path("checked"))']}}
      """, to: "settled.yaml")
    daemon = try RunningProgram([
      builtProgram("settled"), "--manifest", folder.path("settled.yaml"),
      "--socket", folder.path("socket"), "--state-directory", folder.path("state"),
    ])
    try daemon.wait { daemon.errors.contains("generation 1 is in force") }
    unlink(folder.path("checked"))
  }

  private func editSettings() throws {
    try folder.write("page: two\n", to: "shop.new")
    rename(folder.path("shop.new"), folder.path("shop.yaml"))
  }

  @Test func `is waited for before the swap, so that no half of it is ever in force`() throws {
    let template = open(folder.path("page.tmpl"), O_WRONLY | O_TRUNC | O_CLOEXEC)
    try editSettings()
    let reload = try RunningProgram([
      builtProgram("settlectl"), "--socket", folder.path("socket"), "reload",
    ])
    // The check runs right before the swap.
    try daemon.wait { access(folder.path("checked"), F_OK) == 0 }
    write(template, "{{ page }} again\n", 17)
    close(template)
    try daemon.wait { folder.read("out/page") == "two again\n" }
    try daemon.wait { daemon.errors.contains("generation 2 is in force") }
    #expect(!daemon.errors.contains("generation 3"))
    #expect(reload.end(with: 0) == 0)
  }

  @Test func `holds a pass up for a second only, where its writer never ends`() throws {
    let template = open(folder.path("page.tmpl"), O_WRONLY | O_APPEND)
    defer { close(template) }
    write(template, "more\n", 5)
    try editSettings()
    try daemon.wait { folder.read("out/page") == "two whole\nmore\n" }
  }
}
