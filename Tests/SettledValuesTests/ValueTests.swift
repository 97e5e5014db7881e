import SettledValues
import Testing

@Suite struct `values` {
  @Test func `are the same when kind and bits are`() {
    #expect(Value.int(1) != .uint(1))
    #expect(Value.int(1) != .double(1))
    #expect(Value.double(.nan) == .double(.nan))
    #expect(Value.double(0) != .double(-0.0))
    #expect(Value.string("é") != .string("e\u{301}"))
    #expect(["a": 1, "b": 2] as Value != ["b": 2, "a": 1])
    #expect(Value.optional(nil) != .null)
  }

  @Test func `the same bits hash alike`() {
    #expect(Set<Value>([1, 1, "a", "a", [1], [1], .double(.nan), .double(.nan)]).count == 4)
    #expect(Set<Value>(["é", "e\u{301}"]).count == 2)
  }
}

@Suite struct `value maps` {
  @Test(arguments: [3, 8, 9, 10, 40])
  func `find, replace and remove at any size`(size: Int) {
    var map = ValueMap((0..<size).map { (key: .string("k\($0)"), value: .int(Int64($0))) })
    #expect(map.count == size)
    #expect(map["k2"] == 2)
    #expect(map["none"] == nil)
    map["k1"] = "new"
    #expect(map.values[1] == "new")
    map["k0"] = nil
    #expect(map.count == size - 1)
    #expect(map["k0"] == nil)
    #expect(map[Value.string("k\(size - 1)")] == .int(Int64(size - 1)))
    #expect(map.keys.first == "k1")
    map["k0"] = 0
    #expect(map.keys.last == "k0")
  }

  @Test func `insert only what is new`() {
    var map = ValueMap()
    let added = [("é", 1), ("e\u{301}", 2), ("é", 3)].map { key, value in
      map.insert(.int(value), at: .string(key))
    }
    #expect(added == [true, true, false])
    #expect(map.values == [1, 2])
  }
}

@Suite struct `paths` {
  @Test(arguments: [
    (Path(), "settings"), (Path([.key("http"), .key("port")]), "http.port"),
    (Path([.key("my-app"), .key("port")]), "settings[\"my-app\"].port"),
    (Path([.key("a"), .index(2), .key("x y")]), "a[2][\"x y\"]"),
    (Path([.index(0)]), "settings[0]"),
    (Path([.key("")]), "settings[\"\"]"),
    (Path([.key("a\"\\\n\t\r")]), #"settings["a\"\\\n\t\r"]"#),
    (Path([.key("é")]), "settings[\"é\"]"), (Path([.key("_1")]), "_1"),
    (Path([.key("1a")]), "settings[\"1a\"]"),
  ])
  func `are spelled as in an expression`(path: Path, text: String) {
    #expect(path.description == text)
  }
}

@Suite struct `texts` {
  @Test(
    arguments: [
      ("databse", "database"), ("prot", "port"), ("PORT", "port"), ("pot", "port"), ("xyz", nil),
      ("hots", "host"), ("", nil), ("databaes_url", nil),
    ] as [(String, String?)])
  func `find what was likely meant`(text: String, expected: String?) {
    #expect(text.closest(among: ["host", "port", "database"]) == expected)
  }

  @Test func `are ordered by their bytes`() {
    #expect("Z".precedesByBytes("a"))
    #expect("e\u{301}".precedesByBytes("é"))
    #expect(!"a".precedesByBytes("a"))
    #expect("é".hasSameBytes(as: "é"))
    #expect(!"é".hasSameBytes(as: "e\u{301}"))
  }
}

@Suite struct `instants` {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0), ("2000-02-29T23:59:59.5Z", 951_868_799, 500_000_000),
      ("1969-12-31T23:59:59.000000001Z", -1, 1), ("2026-01-31T12:00:00+01:30", 1_769_855_400, 0),
      ("0001-01-01T00:00:00Z", -62_135_596_800, 0), ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
      ("2024-12-31T23:30:00-00:30", 1_735_689_600, 0),
    ] as [(String, Int64, Int32)])
  func `are read from RFC 3339`(text: String, seconds: Int64, nanoseconds: Int32) throws {
    let instant = try #require(Timestamp(text))
    #expect(instant == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    #expect(Timestamp(instant.description) == instant)
  }

  @Test(arguments: [
    "", "2026-01-31", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00Z ",
    "0000-01-01T00:00:00Z", "2026-1-1T00:00:00Z", "2026-01-01T00:00:00+24:00",
    "2026-01-32T00:00:00Z",
  ])
  func `are nothing else`(text: String) {
    #expect(Timestamp(text) == nil)
  }
}
