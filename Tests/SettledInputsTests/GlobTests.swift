import Glibc
import SettledInputs
import TestSupport
import Testing

struct GlobTests {
  @Test(arguments: [
    ("*.yaml", ["a.yaml", "10-web.yaml", "é.yaml", "a.b.yaml"], ["a.yml", "yaml", "a.yaml.x"]),
    ("*", ["a", "a.yaml"], [".a", "a~"]),
    ("?0-*.yaml", ["10-a.yaml", "é0-.yaml"], ["100-a.yaml", "0-a.yaml"]),
    ("[0-9]*[!a-c]", ["1x", "10-d"], ["x1", "1a", "1"]),
    ("[]a]x", ["]x", "ax"], ["bx", "x"]),
    ("[z-a]x", [], ["ax", "zx"]),
    ("a[", ["a["], ["a"]),
    ("a[b", ["a[b"], ["ab"]),
    ("[[]*", ["[a"], ["a"]),
    ("*a*a*b", ["aab", "xaxaxb"], ["ab", "aa", "aabx"]),
    ("**x", ["x", "ax"], ["xa"]),
  ])
  func `a pattern takes names`(pattern: String, taken: [String], others: [String]) throws {
    let glob = try #require(Glob("conf.d/" + pattern))
    #expect(taken.filter { !glob.takes($0) } == [])
    #expect(others.filter { glob.takes($0) } == [])
  }

  @Test func `a pattern of many stars is bounded in its work`() throws {
    let glob = try #require(Glob(String(repeating: "*a", count: 60) + "b"))
    #expect(!glob.takes(String(repeating: "a", count: 255)))
  }

  @Test(arguments: [
    ".a.yaml", "a.yaml~", "#a.yaml#", ".#a.yaml", "a.swp", "a.yaml.swp", "a.tmp", "4913", "5036",
    "a.yaml.dpkg-old", "a.yaml.dpkg-dist", "a.ucf-new", "a.rpmsave", "a.bak", "a.orig",
    "a.yaml___jb_tmp___", "", ".", "..",
  ])
  func `leftovers are not taken`(name: String) {
    #expect(!isDropIn(name))
  }

  @Test(arguments: ["a.yaml", "a", "4914", "#a", "a.b.yaml", "new", "a.newer", "~a", "4913.yaml"])
  func `other names are taken`(name: String) {
    #expect(isDropIn(name))
  }

  @Test(arguments: [
    ("conf.d/*.yaml", "conf.d", "*.yaml"), ("/*.yaml", "/", "*.yaml"), ("*.yaml", ".", "*.yaml"),
    ("/a/b/?", "/a/b", "?"),
  ])
  func `a path is directory and pattern`(path: String, directory: String, pattern: String) throws {
    let glob = try #require(Glob(path))
    #expect((glob.directory, glob.pattern, glob.description) == (directory, pattern, path))
  }

  @Test(arguments: ["a.yaml", "conf.d/a.yaml", "conf*/a.yaml", "c?/*.yaml", "conf.d/", ""])
  func `a path without wildcards in its last part only is no glob`(path: String) {
    #expect(Glob(path) == nil)
  }

  @Test func `names come in byte order, without leftovers`() throws {
    let folder = try TemporaryDirectory()
    for name in ["b.yaml", "a.yaml", "Z.yaml", "é.yaml", "10.yaml", "9.yaml", "a.yaml~", "a.txt"] {
      try folder.write("", to: name)
    }
    let glob = try #require(Glob(folder.path("*.yaml")))
    #expect(try glob.names() == ["10.yaml", "9.yaml", "Z.yaml", "a.yaml", "b.yaml", "é.yaml"])
    #expect(glob.path(of: "9.yaml") == folder.path("9.yaml"))
  }

  @Test func `no directory is no names, something else in its place is an error`() throws {
    let folder = try TemporaryDirectory()
    #expect(try #require(Glob(folder.path("none/*"))).names() == [])
    try folder.write("", to: "file")
    #expect(throws: (any Error).self) { try #require(Glob(folder.path("file/*"))).names() }
  }

  @Test func `a name that is no text is an error`() throws {
    let folder = try TemporaryDirectory()
    let path = Array(folder.path("a").utf8) + [0xFF] + Array(".yaml".utf8) + [0]
    path.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { _ = $0.baseAddress.map { close(creat($0, 0o600)) } }
    }
    #expect(throws: (any Error).self) { try #require(Glob(folder.path("*.yaml"))).names() }
    #expect(try #require(Glob(folder.path("*.yml"))).names() == [])
  }
}
