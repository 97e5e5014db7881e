import SettledValues
import Templates
import TestSupport
import Testing

/// Templates with what Jinja2 renders of them.
@Suite struct ConformanceTests {
  @Test func `every template renders as in Jinja2 or is refused as it should be`() throws {
    guard let cases = try Suites.lines(of: "template/cases.jsonl") else { return }
    let faults = cases.compactMap(fault)
    print("template/cases: \(cases.count - faults.count)/\(cases.count)")
    #expect(faults == [])
  }

  /// What is wrong with the outcome of a case, or nil.
  private func fault(_ json: Value) -> String? {
    guard case .string(let source)? = json["template"], case .string(let name)? = json["name"],
      case .string(let section)? = json["section"]
    else { return "unreadable case" }
    let label = "\(section)/\(name)"
    let template: Template
    do {
      template = try Template(Array(source.utf8), file: "t", options: options(json))
    } catch {
      return json["error"] == "syntax" ? nil : "\(label): refused: \(error)"
    }
    var output: [UInt8] = []
    do {
      try template.render(ValueLookup(context(json)), into: &output)
    } catch {
      return json["error"] == "evaluation" ? nil : "\(label): failed: \(error)"
    }
    let text = String(decoding: output, as: UTF8.self)
    return json["expected"] == .string(text) ? nil : "\(label): gave \(text)"
  }

  private func options(_ json: Value) -> TemplateOptions {
    var options = TemplateOptions()
    options.trimBlocks = json["options"]?["trim_blocks"] == true
    options.lstripBlocks = json["options"]?["lstrip_blocks"] == true
    options.keepTrailingNewline = json["options"]?["keep_trailing_newline"] == true
    return options
  }

  private func context(_ json: Value) -> [String: Value] {
    guard case .map(let map)? = json["context"] else { return [:] }
    var names: [String: Value] = [:]
    for (key, value) in zip(map.keys, map.values) {
      if case .string(let name) = key { names[name] = value }
    }
    return names
  }
}
