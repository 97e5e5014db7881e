import SettledObserving
import SettledValues

extension ManifestSection {
  /// All maps of the manifest, each once, the outer before what is in it.
  public static var all: [ManifestSection] {
    ObservingActor.sync { manifest.withNested }
  }

  private var withNested: [ManifestSection] {
    keys.compactMap(\.shape.section).reduce(into: [self]) { sections, section in
      sections += section.withNested
    }
  }

  /// The keys of all maps, with what may be written and what it is for, as text.
  public static var reference: String {
    all.map { section in
      section.title + ":\n\n" + section.keys.map(\.reference).joined()
    }.joined(separator: "\n")
  }
}

extension ManifestKey {
  /// The key, what may be written, and below it what it is for.
  fileprivate var reference: String {
    let remark = remark.map { " (\($0))" } ?? ""
    return "  \(name): \(shape.form)\n" + (doc + remark).wrapped(indent: 6, width: 78)
  }

  /// Whether it must be written, or what holds where it is not; nil for neither.
  public var remark: String? {
    if isRequired { return "required" }
    guard let standard, let text = standard.text, !text.isEmpty else { return nil }
    return "default \(text)"
  }
}

extension String {
  /// The words in lines of at most `width` columns.
  fileprivate func wrapped(indent: Int, width: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
  }
}
