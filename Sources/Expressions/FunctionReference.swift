/// The reference of everything an expression can call, made of the table that calls are found in.
public enum FunctionReference {
  /// A function as the reference shows it.
  public struct Entry: Sendable {
    /// The name, with its namespace: `size`, `math.ceil`.
    public let name: String
    /// How it is called, and what it gives.
    public let signature: String
    /// What it does, in one sentence.
    public let summary: String
    /// Calls and their results, as expressions.
    public let examples: [(call: String, result: String)]
  }

  /// The functions in groups, each with its title.
  public static var groups: [(title: String, entries: [Entry])] {
    FunctionTable.groups.map { group in
      let entries = group.functions.map {
        Entry(name: $0.name, signature: $0.signature, summary: $0.summary, examples: $0.examples)
      }
      return (group.title, entries)
    }
  }

  /// The reference as a page of Markdown.
  public static var markdown: String {
    var page = "# Functions\n\nEverything an expression can call.\n"
    for group in groups {
      page += "\n## \(group.title)\n"
      for entry in group.entries {
        page += "\n### \(entry.name)\n\n`\(entry.signature)`\n\n\(entry.summary)\n\n"
        for example in entry.examples {
          page += "    \(example.call)  // \(example.result)\n"
        }
      }
    }
    return page
  }
}
