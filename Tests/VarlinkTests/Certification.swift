import SettledValues
import Varlink

/// varlink's own conformance service, `org.varlink.certification`.
///
/// Each step's reply is the next step's input; a step that gets anything else fails.
final class Certification: Served {
  let service = Service(vendor: "", product: "settled", version: "1", url: "")
  /// The method that a client must call next.
  private var next: [Value: String] = [:]

  private static let order =
    ["Start"] + (1...9).map { "Test0\($0)" } + ["Test10", "Test11", "End"]

  init() {
    var handlers: [String: Service.Handler] = ["Start": { [unowned self] in start($0) }]
    for step in Self.order.dropFirst() {
      handlers[step] = { [unowned self] in take(step, $0) }
    }
    service.add(Self.interface, handlers: handlers)
  }

  /// What a client has to send at each step, and what it gets.
  static let replies: [String: ValueMap] = [
    "Test01": ["bool": true], "Test02": ["int": 1], "Test03": ["float": 1.0],
    "Test04": ["string": "ping"],
    "Test05": ["bool": false, "int": 2, "float": .double(.pi), "string": "a lot of string"],
    "Test06": [
      "struct": ["bool": false, "int": 2, "float": .double(.pi), "string": "a lot of string"]
    ],
    "Test07": ["map": ["foo": "Foo", "bar": "Bar"]],
    "Test08": ["set": ["one": [:], "two": [:], "three": [:]]],
    "Test09": ["mytype": myType], "Test11": [:], "End": ["all_ok": true],
  ]

  private static let myType: Value = [
    "object": [
      "method": "org.varlink.certification.Test09",
      "parameters": ["map": ["foo": "Foo", "bar": "Bar"]],
    ],
    "enum": "two", "struct": ["first": 1, "second": "2"], "array": ["one", "two", "three"],
    "dictionary": ["foo": "Foo", "bar": "Bar"],
    "stringset": ["one": [:], "two": [:], "three": [:]], "nullable": nil,
    "nullable_array_struct": nil,
    "interface": [
      "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
      "anon": ["foo": true, "bar": false],
    ],
  ]

  private static let streamed = (1...10).map { Value.string("Reply number \($0)") }

  private func start(_ call: Call) {
    let client = Value.string("client\(next.count)")
    next[client] = "Test01"
    call.reply(["client_id": client])
  }

  private func take(_ step: String, _ call: Call) {
    let client = call.parameters["client_id"] ?? nil
    var given = call.parameters
    given["client_id"] = nil
    let position = Self.order.firstIndex(of: step) ?? 0
    var wanted = step == "End" ? [:] : Self.replies[Self.order[position - 1]] ?? [:]
    if step == "Test11" { wanted = ["last_more_replies": .list(Self.streamed)] }
    guard next[client] == step, Self.plain(.map(given)) == Self.plain(.map(wanted)),
      call.wantsMore == (step == "Test10"), call.isOneway == (step == "Test11")
    else {
      next[client] = nil
      let parameters: ValueMap = ["wants": .map(wanted), "got": .map(given)]
      return call.fail(CallError("org.varlink.certification.CertificationError", parameters))
    }
    next[client] = step == "End" ? nil : Self.order[position + 1]
    guard step == "Test10" else { return call.reply(Self.replies[step] ?? [:]) }
    for reply in Self.streamed.dropLast() { call.replyAndContinue(["string": reply]) }
    call.reply(["string": Self.streamed[9]])
  }

  /// A value in which neither the order of keys, nor nulls, nor whole doubles make a difference.
  private static func plain(_ value: Value) -> Value {
    switch value {
    case .int(let number): return .double(Double(number))
    case .list(let elements): return .list(elements.map(plain))
    case .map(let map):
      let entries = zip(map.keys, map.values).filter { $0.1 != .null }
      let sorted = entries.sorted { ($0.0.text ?? "").precedesByBytes($1.0.text ?? "") }
      return .map(ValueMap(sorted.map { (key: $0.0, value: plain($0.1)) }))
    default: return value
    }
  }
}

extension Certification {
  static let interface = Interface(
    "org.varlink.certification",
    types: [
      .init(
        "Interface",
        fields: [
          Field(
            "foo", .optional(.array(.optional(.dictionary(.enumeration(["foo", "bar", "baz"])))))),
          Field("anon", .structure([Field("foo", .bool), Field("bar", .bool)])),
        ]),
      .init("MyType", fields: myFields),
    ],
    methods: [
      .init("Start", output: [Field("client_id", .string)]),
      method("Test01", [], [Field("bool", .bool)]),
      method("Test02", [Field("bool", .bool)], [Field("int", .int)]),
      method("Test03", [Field("int", .int)], [Field("float", .float)]),
      method("Test04", [Field("float", .float)], [Field("string", .string)]),
      method("Test05", [Field("string", .string)], four),
      method("Test06", four, [Field("struct", .structure(four))]),
      method("Test07", [Field("struct", .structure(four))], [Field("map", .dictionary(.string))]),
      method("Test08", [Field("map", .dictionary(.string))], [Field("set", set)]),
      method("Test09", [Field("set", set)], [Field("mytype", .named("MyType"))]),
      method("Test10", [Field("mytype", .named("MyType"))], [Field("string", .string)]),
      method("Test11", [Field("last_more_replies", .array(.string))], []),
      method("End", [], [Field("all_ok", .bool)]),
    ],
    errors: [
      .init("ClientIdError"),
      .init("CertificationError", fields: [Field("wants", .object), Field("got", .object)]),
    ])

  private static let four = [
    Field("bool", .bool), Field("int", .int), Field("float", .float), Field("string", .string),
  ]
  private static let set = FieldType.dictionary(.structure([]))
  private static let pair = [Field("first", .int), Field("second", .string)]
  private static let myFields = [
    Field("object", .object), Field("enum", .enumeration(["one", "two", "three"])),
    Field("struct", .structure(pair)), Field("array", .array(.string)),
    Field("dictionary", .dictionary(.string)), Field("stringset", set),
    Field("nullable", .optional(.string)),
    Field("nullable_array_struct", .optional(.array(.structure(pair)))),
    Field("interface", .named("Interface")),
  ]

  private static func method(
    _ name: String, _ input: [Field], _ output: [Field]
  ) -> Interface.Method {
    .init(name, input: [Field("client_id", .string)] + input, output: output)
  }
}
