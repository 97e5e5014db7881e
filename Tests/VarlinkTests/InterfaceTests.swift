import SettledValues
import Testing
import Varlink

@Suite struct `an interface` {
  let interface = Interface(
    "test.sample", "A sample.\nWith two lines.",
    types: [
      .init("Kind", "What it is.", oneOf: ["good", "bad"]),
      .init("Part", fields: [Field("name", .string), Field("kinds", .array(.named("Kind")))]),
    ],
    methods: [
      .init(
        "Do", "Does it.",
        input: [
          Field("count", .int), Field("share", .optional(.float)), Field("part", .named("Part")),
        ],
        output: [Field("more", .optional(.dictionary(.object)))])
    ],
    errors: [.init("Refused", "It was refused."), .init("Late", fields: [Field("by", .int)])])

  @Test func `is described in the definition language`() {
    #expect(
      interface.description == """
        # A sample.
        # With two lines.
        interface test.sample

        # What it is.
        type Kind (good, bad)

        type Part (name: string, kinds: []Kind)

        # Does it.
        method Do(
          count: int,
          share: ?float,
          part: Part
        ) -> (more: ?[string]object)

        # It was refused.
        error Refused ()

        error Late (by: int)

        """)
    #expect(interface.faults == [])
    #expect(Interface.service.faults == [])
  }

  @Test(
    arguments: [
      (["count": 1, "part": ["name": "a", "kinds": ["good"]]], nil),
      (["count": 1, "share": nil, "part": ["name": "a", "kinds": []]], nil),
      (["count": 1, "share": 2, "part": ["name": "a", "kinds": []]], nil),
      (["count": 1.5, "part": ["name": "a", "kinds": []]], "count"), (["count": 1], "part"),
      (["count": 1, "part": ["name": "a", "kinds": ["ugly"]]], "part"),
      (["count": 1, "part": ["name": "a", "kinds": [], "x": 1]], "part"),
      (["count": 1, "part": ["name": "a", "kinds": []], "x": 1], "x"), ([:], "count"),
    ] as [(ValueMap, String?)])
  func `checks parameters`(parameters: ValueMap, fault: String?) {
    #expect(interface.firstFault(in: parameters, of: interface.methods[0].input) == fault)
  }

  @Test(arguments: [
    (Interface("sample"), "'sample' is no name of an interface"),
    (Interface("a.-b"), "'a.-b' is no name of an interface"),
    (Interface("a1.b"), "'a1.b' is no name of an interface"),
    (Interface("a.b", methods: [.init("do")]), "'do' is no name of a member"),
    (Interface("a.b", methods: [.init("Do"), .init("Do")]), "'Do' is there twice"),
    (
      Interface("a.b", errors: [.init("E", fields: [Field("a_", .int)])]),
      "'E.a_' is no name of a field"
    ),
    (
      Interface("a.b", errors: [.init("E", fields: [Field("a", .int), Field("a", .int)])]),
      "'E.a' is there twice"
    ),
    (Interface("a.b", types: [.init("T", oneOf: [])]), "'T' has an empty enumeration"),
    (
      Interface("a.b", types: [.init("T", fields: [Field("a", .named("X"))])]),
      "'T.a' refers to 'X', which is not there"
    ),
    (
      Interface("a.b", types: [.init("T", fields: [Field("a", .array(.array(.int)))])]),
      "'T.a' has a type that is wrapped twice"
    ),
  ])
  func `tells what breaks the rules`(interface: Interface, fault: String) {
    #expect(interface.faults == [fault])
  }

  @Test func `allows an optional list, which parsers take`() {
    let fields = [Field("a", .optional(.array(.int))), Field("b", .optional(.dictionary(.int)))]
    #expect(Interface("a.b", types: [.init("T", fields: fields)]).faults == [])
  }
}
