import Expressions
import SettledObserving
import SettledValues
import SettledYAML
import Targets
import Templates

/// Computes the file that a target wants.
struct TargetRenderer {
  let rule: TargetRule
  let destinations: Destinations

  /// The file as the target wants it now, or what is wrong.
  @ObservingActor
  func desired(in program: Program) -> Result<DesiredFile, Refusal> {
    let lookup = ProgramLookup(program)
    do {
      let path = try path(lookup, program)
      var bytes: [UInt8] = []
      try render(lookup, program, into: &bytes)
      return .success(
        DesiredFile(
          target: rule.name, path: path, bytes: bytes, mode: rule.mode, owner: try owner(),
          isSecret: lookup.hasReadSecret,
          makesDirectories: rule.makesDirectories || destinations.root != nil))
    } catch {
      return .failure(error)
    }
  }

  @ObservingActor
  private func path(_ lookup: ProgramLookup, _ program: Program) throws(Refusal) -> String {
    do {
      return destinations.path(of: try rule.file.render(lookup, check: Self.fault(ofPiece:)))
    } catch {
      throw Refusal(error.diagnostics(in: rule.fileNode, of: named, program))
    }
  }

  /// What is wrong with a value put into a path: it must be one name of a file or directory, or a
  /// part of one, so that no value leads to another directory.
  private static func fault(ofPiece piece: String) -> String? {
    if piece.isEmpty { return "a part of the path is empty" }
    if piece == "." || piece == ".." { return "a part of the path is '\(piece)'" }
    if piece.utf8.contains(UInt8(ascii: "/")) { return "a part of the path holds '/'" }
    if piece.utf8.contains(0) { return "a part of the path holds a NUL character" }
    return nil
  }

  @ObservingActor
  private func render(
    _ lookup: ProgramLookup, _ program: Program, into bytes: inout [UInt8]
  ) throws(Refusal) {
    switch rule.content {
    case .template(let name, let node):
      guard let loaded = program.templates[.string(name)] else { throw Refusal([]) }
      do {
        try loaded.template.render(lookup, into: &bytes)
      } catch {
        throw Refusal(error.diagnostics(in: loaded.template, of: named, at: node, program))
      }
    case .inline(let template, let node):
      do {
        try template.render(lookup, into: &bytes)
      } catch {
        throw Refusal(error.diagnostics(in: node, of: named, program))
      }
    case .value(let expression, let format, let node):
      do {
        let value = try expression.evaluate(lookup)
        bytes = try format.write(value)
      } catch let error as ExpressionError {
        throw Refusal(error.diagnostics(in: node, of: named, program))
      } catch {
        throw Refusal([node.fault("\(named) cannot be written as \(format.rawValue): \(error)")])
      }
    }
  }

  private func owner() throws(Refusal) -> Owner? {
    guard let owner = rule.owner else { return nil }
    do {
      return try Owner(owner.text)
    } catch {
      throw Refusal([owner.node.fault("\(named): \(error)")])
    }
  }

  private var named: String { "target '\(rule.name)'" }
}
