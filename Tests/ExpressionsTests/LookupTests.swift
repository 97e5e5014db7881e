import Expressions
import SettledValues
import Testing

/// A map or list that notes what is read of it.
private final class RecordingCursor: Container {
  let value: Value
  let path: Path
  let record: Record

  final class Record {
    var reads: [String] = []
  }

  init(_ value: Value, at path: Path, _ record: Record) {
    self.value = value
    self.path = path
    self.record = record
  }

  var isList: Bool { if case .list = value { true } else { false } }

  var count: Int {
    note("keys")
    return if case .list(let list) = value { list.count } else { entries.count }
  }

  var keys: [String] {
    note("keys")
    return entries.keys.compactMap { if case .string(let key) = $0 { key } else { nil } }
  }

  func member(_ key: String) -> Found? { found(entries[key], path.appending(key)) }

  func element(_ position: Int) -> Found? {
    guard case .list(let list) = value, list.indices.contains(position) else { return nil }
    return found(list[position], path.appending(position))
  }

  func whole() -> Value {
    note("whole")
    return value
  }

  private var entries: ValueMap { if case .map(let map) = value { map } else { [:] } }

  private func found(_ value: Value?, _ path: Path) -> Found? {
    guard let value else { return nil }
    switch value {
    case .list, .map: return .container(RecordingCursor(value, at: path, record))
    default:
      record.reads.append(path.description)
      return .value(value)
    }
  }

  private func note(_ aspect: String) { record.reads.append("\(aspect) of \(path)") }
}

private struct RecordingLookup: Lookup {
  let root: RecordingCursor

  func lookUp(_ name: String) -> Found? { root.member(name) }
}

@globalActor
private actor Elsewhere {
  static let shared = Elsewhere()
}

@Elsewhere
private final class IsolatedLookup: Lookup {
  var reads = 0

  func lookUp(_ name: String) -> Found? {
    reads += 1
    return .value(41)
  }
}

/// What an expression reads of what its lookup finds.
@Suite struct LookupTests {
  private let settings: Value = [
    "http": ["port": 80, "host": "example.org"], "users": ["ann", "bob"],
    "limits": ["a": 1, "b": 2],
  ]

  @Test(arguments: [
    ("http.port + 1", ["http.port"]),
    ("users[1]", ["users[1]"]),
    ("size(users)", ["keys of users"]),
    ("has(http.port)", ["keys of http"]),
    ("'port' in http", ["keys of http"]),
    ("limits.exists(k, k == 'a')", ["keys of limits"]),
    ("limits.exists(k, limits[k] == 1)", ["keys of limits", "limits.a"]),
    ("users.exists(u, u == 'ann')", ["keys of users", "users[0]"]),
    ("limits.all(k, v, v > 0)", ["keys of limits", "limits.a", "limits.b"]),
    ("http == {}", ["whole of http"]),
    ("json(limits)", ["whole of limits"]),
    ("limits", ["whole of limits"]),
    ("http.?port.orValue(1)", ["http.port"]),
    ("http.?none.orValue(1)", []),
    ("(true ? http : limits).port", ["http.port"]),
    ("cel.bind(h, http, h.host)", ["http.host"]),
    ("dyn(http).port", ["http.port"]),
    ("true || http.port > 1", []),
    ("type(http) == map", []),
  ])
  func `only what is needed is read`(source: String, reads: [String]) throws {
    let record = RecordingCursor.Record()
    let lookup = RecordingLookup(root: RecordingCursor(settings, at: Path(), record))
    _ = try Expression(source).evaluate(lookup)
    #expect(record.reads == reads)
  }

  @Test func `cursors give what values give`() throws {
    let lookup = RecordingLookup(
      root: RecordingCursor(settings, at: Path(), RecordingCursor.Record()))
    guard case .map(let map) = settings else { return }
    let sources = [
      "http", "users", "http.host", "users.map(u, u + '!')", "limits.transformMap(k, v, v + 1)",
      "limits.filter(k, k != 'a')", "users == ['ann', 'bob']", "'ann' in users", "http.?port",
      "users.transformList(i, u, u + string(i))", "{'all': [http, users]}",
      "limits.map(k, limits[k])", "users + ['eve']", "optional.of(http).port.value()",
    ]
    for source in sources {
      let expression = try Expression(source)
      #expect(try expression.evaluate(lookup) == expression.evaluate(ValueLookup(map)), "\(source)")
    }
  }

  @Test func `a lookup may belong to a global actor`() async throws {
    let expression = try Expression("answer + 1")
    let (value, reads) = try await evaluate(expression)
    #expect(value == 42)
    #expect(reads == 1)
  }

  @Elsewhere
  private func evaluate(_ expression: Expression) throws -> (Value, Int) {
    let lookup = IsolatedLookup()
    return (try expression.evaluate(lookup), lookup.reads)
  }
}
