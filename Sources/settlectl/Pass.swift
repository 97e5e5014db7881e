import Control
import Generations
import Glibc
import Options
import SettledInputs
import SettledValues
import Targets

/// One pass over a manifest, made by the tool itself: no daemon is asked, and nothing is touched.
struct Pass {
  /// The manifest that is read where none is named.
  static let standardManifest = "/etc/settled/settled.yaml"

  /// The state directory of the daemon that applies it.
  static let standardStateDirectory = "/var/lib/settled"

  private let preparation: Preparation

  /// Reads the manifest that the invocation names, and all that it names; nothing but that is looked
  /// at.
  init(inputsOf invocation: Invocation) {
    self.init(invocation, manifest: invocation.arguments.first ?? Self.standardManifest)
  }

  /// Reads a manifest, and all that it names.
  init(_ invocation: Invocation, manifest: String) {
    preparation = Preparation(manifest: FilePaths.absolute(manifest), comparesFiles: false)
  }

  /// Reads the manifest that the invocation names, and all that it names, and compares it with what
  /// stands on the disk, and with what was applied.
  ///
  /// - Throws: why it is not known what was applied.
  init(comparing invocation: Invocation) throws(ToolError) {
    let manifest = invocation.arguments.first
    let root = invocation.value(of: .root)
    // What was applied from another manifest is not to be removed for this one.
    let standard = manifest == nil && root == nil ? Self.standardStateDirectory : nil
    let state = (invocation.value(of: .stateDirectory) ?? standard).map(FilePaths.absolute)
    var applied = Applied()
    do {
      if let state {
        applied = try AppliedFiles(stateDirectory: state).load(touches: false).applied
      }
    } catch {
      throw ToolError(error.code == EACCES ? .notPermitted : .refused, error.description)
    }
    preparation = Preparation(
      manifest: FilePaths.absolute(manifest ?? Self.standardManifest),
      root: root.map(FilePaths.absolute), stateDirectory: state, applied: applied)
  }

  /// Takes a pass that was made.
  init(_ preparation: Preparation) {
    self.preparation = preparation
  }

  /// What is wrong where the inputs are refused, with warnings; nothing else.
  var findings: [Diagnostic] {
    if case .refused(let refusal, _) = preparation { refusal.diagnostics } else { [] }
  }

  /// The candidate; warnings, and the findings where it is refused, go to the console's errors.
  func candidate(_ tool: Tool) throws(ToolError) -> Candidate {
    switch preparation {
    case .candidate(let candidate):
      for warning in candidate.warnings { tool.console.report(warning.description) }
      return candidate
    case .refused(let refusal, _):
      throw tool.refused(refusal.diagnostics)
    }
  }
}

extension Tool {
  /// Shows a refusal to programs, where there are findings.
  func showRefusal(_ findings: [Diagnostic], for invocation: Invocation) throws(ToolError) {
    guard !findings.isEmpty, invocation.form != .text else { return }
    let value: Value = [
      "version": 1, "refused": true, "diagnostics": .list(findings.map { .map($0.wire) }),
    ]
    try show(Answer(text: { _ in "" }, value: value), for: invocation)
  }

  /// Reports the findings of a refusal, and gives the error that counts them.
  func refused(_ findings: [Diagnostic]) -> ToolError {
    for finding in findings { console.report(finding.description) }
    return ToolError(.refused, "refused: \(counted(findings.count { $0.isError }, "error"))")
  }
}

extension Option {
  /// Where the daemon keeps what it applied.
  static let stateDirectory = Option(
    "state-directory", metavar: "DIR", values: .directory,
    summary: "count in what a daemon with this state directory applied")

  /// Puts every destination below a directory, as the daemon's option of that name does.
  static let root = Option(
    "root", metavar: "DIR", values: .directory, summary: "put every destination below DIR")
}
