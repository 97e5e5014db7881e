import SettledValues
import Testing
import Varlink

/// A service with one method of each manner, and the calls it has kept.
final class Sample {
  let service = Service(vendor: "v", product: "p", version: "1", url: "u")
  var kept: [Call] = []
  var notified: [String] = []
  var closed = 0

  init() {
    let interface = Interface(
      "test.sample",
      methods: [
        .init("Echo", input: [Field("text", .string)], output: [Field("text", .string)]),
        .init("Keep", output: [Field("number", .int)]),
        .init("Count", input: [Field("to", .int)], output: [Field("number", .int)]),
        .init("Drop"), .init("Unanswerable"), .init("Missing"),
      ])
    service.add(
      interface,
      handlers: [
        "Echo": { [unowned self] call in
          notified.append(call.parameters["text"]?.text ?? "")
          call.reply(call.parameters)
        },
        "Keep": { [unowned self] call in
          call.whenClosed { [unowned self] in closed += 1 }
          kept.append(call)
        },
        "Count": { call in
          guard case .int(let end)? = call.parameters["to"] else { return }
          for number in 1..<end { call.replyAndContinue(["number": .int(number)]) }
          call.reply(["number": .int(end)])
        },
        "Drop": { _ in },
        "Unanswerable": { $0.reply(["a": [.double(.nan)]]) },
      ])
  }

  func conversation(_ limits: Conversation.Limits = .init()) -> Conversation {
    Conversation(with: Peer(user: 1000, group: 1000), limits: limits)
  }

  /// What is answered to messages that end in `|` here and in NUL on the wire.
  func answer(_ messages: String, in conversation: Conversation? = nil) -> String {
    let conversation = conversation ?? self.conversation()
    Array(messages.utf8).map { $0 == UInt8(ascii: "|") ? 0 : $0 }.withUnsafeBytes {
      conversation.receive($0)
    }
    conversation.advance(with: service)
    return conversation.takeOutput()
  }
}

extension Conversation {
  func takeOutput() -> String {
    defer { didSend(output.count) }
    return String(decoding: output.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
  }
}

@Suite struct `a conversation` {
  let sample = Sample()
  let echo = #"{"method":"test.sample.Echo","parameters":{"text":"a"}}|"#
  let keep = #"{"method":"test.sample.Keep"}|"#

  @Test func `answers pipelined calls in their order`() {
    let other = #"{"parameters":{"text":"b"},"method":"test.sample.Echo"}|"#
    #expect(
      sample.answer(echo + other)
        == #"{"parameters":{"text":"a"}}|{"parameters":{"text":"b"}}|"#)
  }

  @Test func `takes a call in any pieces`() {
    for position in 1..<echo.utf8.count {
      let conversation = sample.conversation()
      let cut = echo.utf8.index(echo.startIndex, offsetBy: position)
      let first = sample.answer(String(echo[..<cut]), in: conversation)
      let second = sample.answer(String(echo[cut...]), in: conversation)
      #expect(first + second == #"{"parameters":{"text":"a"}}|"#)
    }
  }

  @Test func `processes one call at a time, answered later`() {
    let conversation = sample.conversation()
    #expect(sample.answer(keep + echo, in: conversation) == "")
    #expect(conversation.hasCall)
    #expect(!conversation.wantsInput)
    sample.kept.removeFirst().reply(["number": 7])
    #expect(sample.answer("", in: conversation).hasPrefix(#"{"parameters":{"number":7}}|{"par"#))
  }

  @Test(arguments: [
    (
      #""more":true,"#,
      #"{"parameters":{"number":1},"continues":true}|{"parameters":{"number":2}}|"#
    ),
    (#""oneway":true,"#, ""), ("", #"{"parameters":{"number":1}}|"#),
    (#""more":false,"oneway":false,"upgrade":false,"#, #"{"parameters":{"number":1}}|"#),
  ])
  func `replies as often as the client asked for`(flags: String, answer: String) {
    let call = "{\(flags)\"method\":\"test.sample.Count\",\"parameters\":{\"to\":2}}|"
    #expect(sample.answer(call + echo) == answer + #"{"parameters":{"text":"a"}}|"#)
  }

  @Test(arguments: [
    ("test.sample.Nothing", "", "MethodNotFound", #"{"method":"test.sample.Nothing"}"#),
    ("test.none.Echo", "", "InterfaceNotFound", #"{"interface":"test.none"}"#),
    ("Echo", "", "MethodNotFound", #"{"method":"Echo"}"#),
    ("test.sample.Missing", "", "MethodNotImplemented", #"{"method":"test.sample.Missing"}"#),
    ("test.sample.Drop", "", "MethodNotImplemented", #"{"method":"test.sample.Drop"}"#),
    ("test.sample.Echo", "", "InvalidParameter", #"{"parameter":"text"}"#),
    ("test.sample.Echo", #""text":1"#, "InvalidParameter", #"{"parameter":"text"}"#),
    ("test.sample.Echo", #""text":"","x":1"#, "InvalidParameter", #"{"parameter":"x"}"#),
    ("test.sample.Unanswerable", "", "InvalidParameter", #"{"parameter":"a[0]"}"#),
  ])
  func `answers what it cannot do with an error`(
    method: String, parameters: String, error: String, details: String
  ) {
    let call = "{\"method\":\"\(method)\",\"parameters\":{\(parameters)}}|"
    #expect(
      sample.answer(call)
        == "{\"error\":\"org.varlink.service.\(error)\",\"parameters\":\(details)}|")
  }

  @Test(arguments: [
    "|", "{}|", "[]|", "1|", "nonsense|", #"{"method":1}|"#, #"{"method":"a.B","x":1}|"#,
    #"{"method":"a.B","more":1}|"#, #"{"method":"a.B","method":"a.C"}|"#,
    #"{"method":"a.B","parameters":[]}|"#, #"{"method":"a.B","more":true,"oneway":true}|"#,
    #"{"method":"a.B","upgrade":true}|"#, "{\"method\":\"a.B\"}\n{}|",
    "\u{FEFF}{\"method\":\"a.B\"}|",
    String(repeating: "[", count: 1000) + "|", String(repeating: " ", count: 2000),
  ])
  func `ends at what is no call, and keeps earlier answers`(message: String) {
    let conversation = sample.conversation(.init(message: 1024))
    #expect(
      sample.answer(echo + message + echo, in: conversation) == #"{"parameters":{"text":"a"}}|"#)
    #expect(conversation.isOver)
    #expect(sample.answer(echo, in: conversation) == "")
  }

  @Test func `waits with further calls while the client does not read`() {
    let conversation = sample.conversation(.init(output: 50))
    let calls = String(repeating: echo, count: 5)
    #expect(sample.answer(calls, in: conversation).split(separator: "|").count == 2)
    #expect(!conversation.wantsInput)
    #expect(sample.answer("", in: conversation).split(separator: "|").count == 2)
    #expect(sample.answer("", in: conversation).split(separator: "|").count == 1)
    #expect(conversation.wantsInput)
  }

  @Test func `ends a stream that nobody reads`() {
    let conversation = sample.conversation(.init(backlog: 1000))
    let call = #"{"method":"test.sample.Count","parameters":{"to":10000},"more":true}|"#
    #expect(sample.answer(call, in: conversation) == "")
    #expect(conversation.isOver)
  }

  @Test func `is over when a half-closed client has its answer`() {
    let conversation = sample.conversation()
    _ = sample.answer(keep, in: conversation)
    conversation.endInput()
    #expect(!conversation.isOver)
    sample.kept.removeFirst().reply(["number": 1])
    #expect(!conversation.isOver)
    #expect(conversation.takeOutput() == #"{"parameters":{"number":1}}|"#)
    #expect(conversation.isOver)
  }

  @Test func `tells a call that waits that the client is gone`() throws {
    let conversation = sample.conversation()
    _ = sample.answer(keep, in: conversation)
    let call = try #require(sample.kept.first)
    #expect(call.isOpen)
    conversation.close()
    #expect(!call.isOpen)
    #expect(sample.closed == 1)
    call.reply(["number": 1])
    #expect(conversation.output.isEmpty)
  }

  @Test func `describes itself`() {
    let answer = sample.answer(#"{"method":"org.varlink.service.GetInfo"}|"#)
    #expect(
      answer == #"{"parameters":{"vendor":"v","product":"p","version":"1","url":"u","#
        + #""interfaces":["org.varlink.service","test.sample"]}}|"#)
    let call = #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":"#
    #expect(sample.answer(call + #"{"interface":"test.sample"}}|"#).contains("method Drop() -> ()"))
    #expect(sample.answer(call + #"{"interface":"x.y"}}|"#).contains("InterfaceNotFound"))
  }
}
