import Options
import Testing

@Suite struct `help` {
  @Test func `shows a program, examples first`() {
    #expect(
      Program.sample.help() == """
        tool - do things

        Examples:
          tool get x  get x

        Usage: tool [OPTION...] [VERB] [ARGUMENT...]

        Verbs:
          status  show the status
          get     get something
          watch   watch things
          draw    draw it
          count   count it
          apply   apply it
          help    show how to use a verb

        Options:
          -q, --quiet      say less
          -f, --file PATH  a file
          -h, --help       show this help
              --version    show the version

        """)
  }

  @Test func `shows a verb`() {
    #expect(
      Program.sample.help(for: "get") == """
        tool get - get something

        Examples:
          tool get x  get x

        Usage: tool get [OPTION...] PATH

        Gets a thing.

        Options:
          -o, --output FORMAT  the form
          -q, --quiet          say less
          -f, --file PATH      a file
          -h, --help           show this help

        """)
    #expect(Program.sample.help(for: "watch").contains("Usage: tool watch [OPTION...] [PATH...]\n"))
    #expect(Program.sample.help(for: "apply").contains("Usage: tool apply [OPTION...] [TARGET]\n"))
    #expect(Program.plain.help().contains("Usage: daemon [OPTION...]\n"))
  }

  @Test func `keeps to 80 columns and puts many verbs beside each other`() {
    var program = Program.sample
    program.verbs = (1...16).map { Verb("verb\($0)", summary: "do the thing of number \($0)") }
    program.verbs[3].details = [String(repeating: "word ", count: 60)]
    program.verbs[3].options = [
      Option("long", metavar: "X", summary: String(repeating: "what it does ", count: 12))
    ]
    for name in [nil] + program.verbs.map({ $0.name as String? }) {
      let lines = program.help(for: name).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= 80 })
      #expect(lines.count <= 25)
    }
    #expect(program.help().contains("  verb1   do the thing of number 1"))
  }
}
