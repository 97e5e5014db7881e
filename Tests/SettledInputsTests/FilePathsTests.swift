import SettledInputs
import Testing

/// Paths are bytes: a slash before a mark that combines with it is one character of Swift's, and still
/// a slash.
@Suite struct FilePathsTests {
  @Test(arguments: [
    ("/etc/a.conf", "/etc/a.conf"), ("//etc/./a.conf/", "/etc/a.conf"), ("/", "/"), ("//.", "/"),
    ("a/../b", "a/../b"), ("./a", "a"), (".", "."), ("", "."), (".a/..b/c.", ".a/..b/c."),
    ("/.", "/"), ("a//b", "a/b"), ("a/./b", "a/b"), ("/./\u{301}x", "/\u{301}x"),
    ("a//\u{301}x/.", "a/\u{301}x"),
  ])
  func `a path has no empty parts, and none that is a dot`(path: String, normal: String) {
    #expect(FilePaths.normalize(path).utf8.elementsEqual(normal.utf8))
  }

  @Test(arguments: [
    ("/etc/a.conf", "/etc", "a.conf"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b", "a", "b"),
    ("/etc/\u{301}x", "/etc", "\u{301}x"), ("/\u{301}x", "/", "\u{301}x"),
  ])
  func `a path is parted at its last slash`(path: String, directory: String, name: String) {
    #expect(FilePaths.directory(of: path) == directory)
    #expect(FilePaths.name(of: path).utf8.elementsEqual(name.utf8))
  }

  @Test(arguments: [
    ("a", "/base/a"), ("/a", "/a"), ("/\u{301}x", "/\u{301}x"), ("./a", "/base/a"),
  ])
  func `an absolute path stays where it is`(path: String, resolved: String) {
    #expect(FilePaths.resolve(path, from: "/base").utf8.elementsEqual(resolved.utf8))
  }

  @Test(arguments: [
    ("/base/a", "a"), ("/base", "/base"), ("/based/a", "/based/a"),
    ("/base/\u{301}x", "\u{301}x"),
  ])
  func `what lies below the base is shown without it`(path: String, shown: String) {
    #expect(FilePaths.shown(path, from: "/base").utf8.elementsEqual(shown.utf8))
  }
}
