import SettledValues
import Testing

struct PathTests {
  @Test(arguments: [
    "http.port", "settings", "a", "settings[\"my-app\"].port", "a[0].b[12]",
    "a[\"x y\"][\"\\\"\\\\\\n\"]",
    "settings[\"\"]", "settings[3]",
  ])
  func `a path is read as it is spelled`(text: String) throws {
    #expect(try #require(Path(spelled: text)).description == text)
  }

  @Test func `quotes of both kinds are read, and 'settings' is the root`() {
    #expect(Path(spelled: "a['x.y']") == Path([.key("a"), .key("x.y")]))
    #expect(Path(spelled: "settings.a") == Path([.key("a")]))
    #expect(Path(spelled: "settings")?.keys == nil)
    #expect(Path(spelled: "a.b")?.keys == ["a", "b"])
    #expect(Path(spelled: "a[1]")?.keys == nil)
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "a b", "a[", "a[]", "a[-1]", "a[+1]", "a[1", "a[1.5]", "a[x]",
    "a[\"x]", "a[\"x\"", "a[\"x\"]b", "a[\"\\u0041\"]", "a + b", "a.1", "my-app", "a()", "a[1]]",
  ])
  func `what is no path is refused`(text: String) {
    #expect(Path(spelled: text) == nil)
  }
}
