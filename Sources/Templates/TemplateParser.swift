import Expressions
import SettledValues

/// Reads a template into blocks.
struct TemplateParser {
  /// What all files of one template share.
  struct Shared {
    let options: TemplateOptions
    let limits: TemplateLimits
    let load: ((String) throws -> IncludedFile)?
    var scope = Scope()
    var names: [TemplateName] = []
    var includes: [Include] = []
    /// The slots that any expression read so far.
    var slotsRead: Set<Int> = []
    var size = 0
    var files: [String] = []
  }

  /// How a list of blocks ended.
  private enum End {
    case file
    case tag(String, Range<Int>)
  }

  private var scanner: Scanner
  private var shared: Shared
  private var depth = 0
  /// The number of `if` around, since the last loop or file began: what is set there may be unset.
  private var choices = 0
  /// The slots that were set, since the innermost loop or choice began.
  private var assigned: Set<Int> = []
  private var source: TemplateSource { scanner.source }

  private init(_ source: TemplateSource, _ shared: Shared) {
    scanner = Scanner(source, options: shared.options)
    self.shared = shared
  }

  /// Reads all of `source`.
  static func blocks(
    _ source: TemplateSource, _ shared: inout Shared
  ) throws(TemplateError) -> [Block] {
    shared.size += source.bytes.count
    guard shared.size <= shared.limits.source else {
      throw TemplateError(
        kind: .limit, message: "the template is longer than \(shared.limits.source) bytes",
        place: Place(file: source.file))
    }
    if let offset = UTF8Check.firstInvalid(source.bytes) {
      throw source.error("the template is not UTF-8 here", at: offset..<offset)
    }
    shared.files.append(source.file)
    var parser = TemplateParser(source, shared)
    let (blocks, end) = try parser.readBlocks()
    if case .tag(let name, let range) = end {
      throw source.error("'\(name)' belongs to no block", at: range)
    }
    shared = parser.shared
    shared.files.removeLast()
    return blocks
  }

  private mutating func readBlocks() throws(TemplateError) -> (blocks: [Block], end: End) {
    var blocks: [Block] = []
    while true {
      let (text, tag) = try scanner.next()
      blocks.append(contentsOf: text.map(Block.text))
      guard let tag else { return (blocks, .file) }
      switch tag {
      case .output: blocks.append(.output(try readExpression(.output, from: scanner.position)))
      case .block:
        let (name, range) = scanner.word(at: scanner.position)
        switch name {
        case "if": blocks.append(.choice(try readChoice(from: range)))
        case "for": blocks.append(.loop(try readLoop(from: range)))
        case "set": blocks.append(try readAssignment(from: range))
        case "include": blocks.append(try readInclude(from: range))
        case "elif", "else", "endif", "endfor": return (blocks, .tag(name, range))
        default: throw unknown(name, range)
        }
      }
    }
  }

  private func unknown(_ name: String, _ range: Range<Int>) -> TemplateError {
    guard !name.isEmpty else {
      let start = range.lowerBound
      return source.error(
        scanner.byte(start) == 0 ? "'{%' has no '%}'" : "expected the name of a tag",
        at: start..<start + 1)
    }
    let known = ["if", "elif", "else", "endif", "for", "endfor", "set", "include", "raw", "endraw"]
    let likely = name.closest(among: known)
    return source.error(
      "there is no tag '\(name)'", at: range, hint: likely.map { "did you mean '\($0)'?" })
  }

  /// Reads an expression and the end of its tag.
  private mutating func readExpression(
    _ opening: Scanner.Opening, from offset: Int
  ) throws(TemplateError) -> ScopedExpression {
    let read: (expression: ScopedExpression, end: Int)
    do {
      read = try ScopedExpression.read(
        source.bytes, from: offset, scope: &shared.scope, limits: .default)
    } catch {
      throw source.error(error)
    }
    shared.slotsRead.formUnion(read.expression.slotsRead)
    for root in read.expression.roots {
      shared.names.append(TemplateName(root: root, source: source))
    }
    try scanner.closeTag(opening, at: read.end)
    return read.expression
  }

  private mutating func enter(_ range: Range<Int>) throws(TemplateError) {
    depth += 1
    guard depth <= shared.limits.depth else {
      throw source.error(
        "blocks are nested deeper than \(shared.limits.depth) levels", at: range, kind: .limit)
    }
  }

  /// Reads the rest of a tag that is only a name.
  private mutating func closeNamed(_ range: Range<Int>) throws(TemplateError) {
    let next = scanner.word(at: range.upperBound).range.lowerBound
    try scanner.closeTag(.block, at: next)
  }
}

// The statements.
extension TemplateParser {
  private mutating func readChoice(from range: Range<Int>) throws(TemplateError) -> Choice {
    try enter(range)
    choices += 1
    let outer = assigned
    assigned = []
    var choice = Choice()
    var condition: ScopedExpression? = try readExpression(.block, from: range.upperBound)
    while true {
      let (body, end) = try readBlocks()
      if let condition {
        choice.branches.append(Choice.Branch(condition: condition, body: body))
      } else {
        choice.otherwise = body
      }
      switch end {
      case .tag("elif", let tag) where condition != nil:
        condition = try readExpression(.block, from: tag.upperBound)
      case .tag("else", let tag) where condition != nil:
        condition = nil
        try closeNamed(tag)
      case .tag("endif", let tag):
        try closeNamed(tag)
        choice.assigned = assigned
        assigned.formUnion(outer)
        choices -= 1
        depth -= 1
        return choice
      default: throw unended("if", "endif", from: range, end)
      }
    }
  }

  private mutating func readLoop(from range: Range<Int>) throws(TemplateError) -> LoopBlock {
    try enter(range)
    let (names, sourceStart) = try readTargets(from: range.upperBound)
    let source = try readExpression(.block, from: sourceStart)
    let scopeDepth = shared.scope.depth
    let first = shared.scope.add(names[0], depth: source.depth)
    let second = names.count > 1 ? shared.scope.add(names[1], depth: source.depth) : nil
    var loop = LoopBlock(
      source: source, firstSlot: first, secondSlot: second,
      loopSlot: shared.scope.addLoop("loop"))
    let outer = (assigned, choices)
    (assigned, choices) = ([], 0)
    var (body, end) = try readBlocks()
    loop.body = body
    loop.assigned = assigned
    (assigned, choices) = outer
    loop.namesTurns = shared.slotsRead.contains(loop.loopSlot)
    shared.scope.leave(to: scopeDepth)
    if case .tag("else", let tag) = end {
      try closeNamed(tag)
      choices += 1
      (body, end) = try readBlocks()
      choices -= 1
      loop.otherwise = body
    }
    guard case .tag("endfor", let tag) = end else {
      throw unended("for", "endfor", from: range, end)
    }
    try closeNamed(tag)
    depth -= 1
    return loop
  }

  /// Reads `x in` or `k, v in`.
  private func readTargets(
    from offset: Int
  ) throws(TemplateError) -> (names: [String], end: Int) {
    var names: [String] = []
    var position = offset
    while true {
      let (name, range) = scanner.word(at: position)
      guard isName(name), name != "loop" else {
        throw source.error(
          "'for' needs a name", at: range, hint: "write {% for x in list %}")
      }
      names.append(name)
      let (next, nextRange) = scanner.word(at: range.upperBound)
      if next == "in" { return (names, nextRange.upperBound) }
      guard next.isEmpty, scanner.byte(nextRange.lowerBound) == UInt8(ascii: ","), names.count < 2
      else {
        throw source.error(
          "'for' needs 'in' after its names", at: nextRange,
          hint: "write {% for x in list %} or {% for k, v in map %}")
      }
      position = nextRange.lowerBound + 1
    }
  }

  private mutating func readAssignment(from range: Range<Int>) throws(TemplateError) -> Block {
    let (name, nameRange) = scanner.word(at: range.upperBound)
    guard isName(name), name != "loop" else {
      throw source.error("'set' needs a name", at: nameRange, hint: "write {% set x = value %}")
    }
    let equals = scanner.word(at: nameRange.upperBound).range.lowerBound
    guard scanner.byte(equals) == UInt8(ascii: "="), scanner.byte(equals + 1) != UInt8(ascii: "=")
    else {
      throw source.error(
        "'set' needs '=' after its name", at: equals..<equals + 1,
        hint: "write {% set x = value %}")
    }
    let value = try readExpression(.block, from: equals + 1)
    let slot = shared.scope.add(name, depth: value.depth, mayBeUnset: choices > 0)
    assigned.insert(slot)
    return .assignment(slot: slot, value)
  }

  private func isName(_ text: String) -> Bool {
    Path.isIdentifier(text) && !["in", "true", "false", "null"].contains(text)
  }

  private func unended(
    _ name: String, _ ending: String, from range: Range<Int>, _ end: End
  ) -> TemplateError {
    if case .tag(let found, let place) = end {
      let begin = source.place(range.lowerBound)
      return source.error(
        "'\(found)' stands where '\(ending)' is due", at: place,
        hint: "'\(name)' began in line \(begin.line)")
    }
    return source.error("'\(name)' has no '\(ending)'", at: range)
  }

  private mutating func readInclude(from range: Range<Int>) throws(TemplateError) -> Block {
    let value = try readExpression(.block, from: range.upperBound)
    let tag = value.range.offsets
    guard case .string(let name)? = value.constant else {
      throw source.error(
        "'include' needs the name of a file in quotes", at: tag,
        hint: "what a template is made of is known before it is rendered")
    }
    shared.includes.append(Include(name: name, source: source, offset: tag.lowerBound))
    guard shared.includes.count <= shared.limits.includes else {
      throw source.error(
        "more than \(shared.limits.includes) files are included", at: tag, kind: .limit)
    }
    let file = try load(name, at: tag)
    if let first = shared.files.firstIndex(of: file.file) {
      let circle = (shared.files[first...] + [file.file]).joined(separator: " -> ")
      throw source.error("the template includes itself: \(circle)", at: tag)
    }
    guard shared.files.count < shared.limits.depth else {
      throw source.error(
        "includes are nested deeper than \(shared.limits.depth) levels", at: tag, kind: .limit)
    }
    let scopeDepth = shared.scope.depth
    let included = TemplateSource(file.bytes, file: file.file)
    let blocks = try Self.blocks(included, &shared)
    shared.scope.leave(to: scopeDepth)
    return .include(included, blocks)
  }

  private func load(_ name: String, at range: Range<Int>) throws(TemplateError) -> IncludedFile {
    guard let load = shared.load else {
      throw source.error("'include' is not possible here", at: range)
    }
    do {
      return try load(name)
    } catch {
      throw source.error("cannot include '\(name)': \(error)", at: range, cause: error)
    }
  }
}
