import Expressions
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import Templates

extension ExpressionError {
  /// What to tell of the error of an expression in `node`, which belongs to `thing`; nothing of
  /// values where it read a secret.
  @ObservingActor
  func diagnostics(
    in node: YAMLNode, of thing: String, _ program: Program, isSecret: Bool
  ) -> [Diagnostic] {
    if cause is DerivedFailure { return [] }
    let error = isSecret ? withoutValues : self
    return [
      node.fault(
        "\(thing): \(error.message)", in: range, hint: error.hint, notes: program.notes(on: path))
    ]
  }
}

extension TemplateError {
  /// What to tell of the error of a template in the manifest, which belongs to `thing`.
  @ObservingActor
  func diagnostics(in node: YAMLNode, of thing: String, _ program: Program) -> [Diagnostic] {
    if cause is DerivedFailure { return [] }
    var diagnostic = node.fault(of: self, "\(thing): \(message)")
    diagnostic.notes += program.notes(on: path)
    return [diagnostic]
  }

  /// What to tell of the error of a template file that `thing` names at `node`.
  @ObservingActor
  func diagnostics(
    in template: Template, of thing: String, at node: YAMLNode, _ program: Program
  ) -> [Diagnostic] {
    if cause is DerivedFailure { return [] }
    var diagnostic = diagnostic
    diagnostic.notes += program.notes(on: path)
    diagnostic.notes.append(Diagnostic.Note("\(thing) is rendered from it", at: node.place))
    return [diagnostic]
  }
}

extension Program {
  /// A note that shows where the setting that caused an error gets its value.
  func notes(on path: Path?) -> [Diagnostic.Note] {
    guard let path, let place = store.settings.place(at: path) else { return [] }
    return [Diagnostic.Note("'\(path)' gets its value here", at: place)]
  }
}
