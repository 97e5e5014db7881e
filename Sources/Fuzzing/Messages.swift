import SettledValues
import Varlink

/// Reads JSON, and what is written of it, which must say the same.
@Sendable func readJSON(_ input: [UInt8]) {
  guard let value = try? JSON.read(input), let text = try? JSON.text(value) else { return }
  guard let again = try? JSON.read(text) else {
    preconditionFailure("what was written cannot be read")
  }
  precondition((try? JSON.text(again)) == text, "what was written says something else")
}

/// Talks to a service; what it answers must not depend on how the bytes arrive.
@Sendable func converse(_ input: [UInt8]) {
  let whole = answers([input[...]])
  precondition(answers(input.indices.map { input[$0...$0] }) == whole, "answers differ by piece")
}

private func answers(_ pieces: [ArraySlice<UInt8>]) -> [UInt8] {
  let service = Service(vendor: "v", product: "p", version: "1", url: "u")
  let interface = Interface(
    "test.sample",
    types: [.init("Part", fields: [Field("name", .string), Field("n", .optional(.int))])],
    methods: [
      .init(
        "Echo", input: [Field("text", .string), Field("parts", .optional(.array(.named("Part"))))],
        output: [Field("text", .string)])
    ])
  service.add(interface, handlers: ["Echo": { $0.reply(["text": $0.parameters["text"] ?? ""]) }])
  let conversation = Conversation(with: Peer(user: 0, group: 0))
  var output: [UInt8] = []
  for piece in pieces {
    piece.withUnsafeBytes { conversation.receive($0) }
    conversation.advance(with: service)
    output += conversation.output
    conversation.didSend(conversation.output.count)
  }
  return output
}
