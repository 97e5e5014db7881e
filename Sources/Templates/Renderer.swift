import Expressions
import SettledValues

/// Renders the blocks of a template.
struct Renderer {
  var frame: Frame
  private let limits: TemplateLimits
  private let start: Int
  var secrecy: Secrecy

  init(
    _ lookup: any Lookup, slotCount: Int, limits: TemplateLimits, start: Int,
    readsSecret: (() -> Bool)?
  ) {
    var work = ExpressionLimits()
    work.steps = limits.steps
    work.size = limits.size
    frame = Frame(lookup, slotCount: slotCount, limits: work)
    self.limits = limits
    self.start = start
    secrecy = Secrecy(readsSecret)
  }

  /// Renders `blocks` of `source`.
  mutating func render(
    _ blocks: [Block], of source: TemplateSource, into output: inout [UInt8]
  ) throws(TemplateError) {
    for position in blocks.indices {
      switch blocks[position] {
      case .text(let range):
        source.bytes.withUnsafeBufferPointer {
          output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
        }
      case .output(let expression):
        let begin = output.count
        do {
          try write(expression, into: &output)
        } catch {
          throw self.error(error, of: expression, in: source)
        }
        if secrecy.isOn, secrecy.isSecret(expression) { secrecy.mark(begin..<output.count) }
      case .choice(let choice): try render(choice, of: source, into: &output)
      case .loop(let loop): try render(loop, of: source, into: &output)
      case .assignment(let slot, let expression):
        do {
          frame.slots[slot] = try expression.operand(&frame)
        } catch {
          throw self.error(error, of: expression, in: source)
        }
        if secrecy.isOn { secrecy.assign(slot, isSecret: secrecy.isSecret(expression)) }
      case .include(let included, let blocks):
        try render(blocks, of: included, into: &output)
      }
    }
    guard output.count - start <= limits.output else {
      let offset = blocks.first?.offset ?? 0
      throw source.error(
        "the output is longer than \(limits.output) bytes", at: offset..<offset, kind: .limit)
    }
  }

  /// The error of an expression, without what it quotes where it read a secret.
  @inline(never)
  mutating func error(
    _ failure: Failure, of expression: ScopedExpression, in source: TemplateSource
  ) -> TemplateError {
    let error = failure.error(&frame)
    let isSecret = secrecy.isOn && secrecy.isSecret(expression)
    return source.error(isSecret ? error.withoutValues : error)
  }

  @inline(__always)
  private mutating func write(
    _ expression: ScopedExpression, into output: inout [UInt8]
  ) throws(Failure) {
    let value = try expression.value(&frame)
    switch value {
    case .string(let text): text.withBytes { output.append(contentsOf: $0) }
    case .int(let number): Decimal.append(number, to: &output)
    default:
      guard let text = value.printedText else { throw expression.unprintable(value) }
      output.append(contentsOf: text.utf8)
    }
  }

  private mutating func render(
    _ choice: Choice, of source: TemplateSource, into output: inout [UInt8]
  ) throws(TemplateError) {
    let begin = output.count
    var isSecret = false
    var body = choice.otherwise
    for branch in choice.branches {
      let holds: Bool
      do {
        holds = try branch.condition.truth(&frame)
      } catch {
        throw self.error(error, of: branch.condition, in: source)
      }
      if secrecy.isOn, secrecy.isSecret(branch.condition) { isSecret = true }
      if holds {
        body = branch.body
        break
      }
    }
    if isSecret { secrecy.enter() }
    try render(body, of: source, into: &output)
    guard isSecret else { return }
    // What was not set tells as much as what was.
    for slot in choice.assigned { secrecy.assign(slot, isSecret: true) }
    secrecy.leave(begin..<output.count)
  }
}
