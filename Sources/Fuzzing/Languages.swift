import Expressions
import SettledValues
import Templates

/// Limits that keep one evaluation within milliseconds, so that a slow one is a finding.
private var limits: ExpressionLimits {
  var limits = ExpressionLimits.default
  limits.steps = 20_000
  limits.size = 1 << 20
  return limits
}

private let names: ValueMap = [
  "a": ["b": ["c": 2, "d": [1, 2, 3]], "text": "grün", "none": .null],
  "list": [1, "two", 3.5, true, .null, [1], ["k": "v"]],
  "t": "2026-12-02T10:00:00Z", "x": 7, "y": -0.5, "bytes": .bytes([0, 0xFF, 65]),
]

/// Reads an expression and evaluates it twice, with one result.
@Sendable func readExpression(_ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  guard let expression = try? Expression(text, limits: limits) else { return }
  let first = try? expression.evaluate(ValueLookup(names))
  let second = try? expression.evaluate(ValueLookup(names))
  precondition(first.map { "\($0)" } == second.map { "\($0)" }, "two results of one expression")
}

/// Reads a template that may include a second one, and renders it twice, with one output.
@Sendable func readTemplate(_ input: [UInt8]) {
  let parts = input.split(separator: separator, maxSplits: 2, omittingEmptySubsequences: false)
  var bounds = TemplateLimits.default
  bounds.steps = 20_000
  bounds.size = 1 << 20
  bounds.output = 1 << 20
  var options = TemplateOptions()
  options.trimBlocks = input.count % 2 == 0
  options.lstripBlocks = input.count % 3 == 0
  let template = try? Template(
    Array(parts[0]), file: "main", options: options, limits: bounds
  ) { name in
    IncludedFile(file: name, bytes: parts.count > 1 ? Array(parts[1]) : [])
  }
  guard let template else { return }
  precondition(render(template) == render(template), "two outputs of one template")
}

private func render(_ template: Template) -> [UInt8]? {
  var output: [UInt8] = []
  do {
    try template.render(ValueLookup(names), into: &output)
  } catch {
    return nil
  }
  return output
}
