import Control
import SettledValues

/// A status as people read it, in one screen.
struct StatusText {
  /// The targets that are shown at most; `--json` shows all.
  private static let shownTargets = 12
  /// The findings that are shown at most.
  private static let shownFindings = 5

  let status: Status
  let now: Timestamp
  let style: Style

  var text: String {
    var lines = [headline]
    if !status.summary.isEmpty { lines.append("  " + status.summary.printable) }
    lines.append("  generation:   \(status.generation)")
    if let verdict = status.lastReload {
      lines.append(
        "  last reload:  \(word(for: verdict.outcome)), \(age(verdict.at))"
          + nextTry(after: verdict))
      lines += findings(of: verdict)
    }
    if status.inputs > 0 { lines.append("  inputs:       \(status.inputs) watched") }
    lines.append("  targets:      " + count)
    lines += targets
    lines += status.warnings.map { style.colored("  warning: ", .yellow) + $0.printable }
    return lines.joined(separator: "\n") + "\n"
  }

  private var headline: String {
    let color: Style.Color =
      switch status.state {
      case .settled: .green
      case .starting, .settling: .yellow
      case .degraded: .red
      }
    let dot = style.colored("●", color)
    let since = Timestamp(seconds: status.since.seconds)
    return "\(dot) \(style.colored(status.state.rawValue, color)) since \(since)"
      + " (\(age(since)))"
  }

  private var count: String {
    let settled = status.targets.filter { $0.state == .settled }.count
    return status.targets.isEmpty ? "none" : "\(settled) of \(status.targets.count) settled"
  }

  /// The targets that are not settled first, so that they are never cut off.
  private var targets: [String] {
    let settled = status.targets.filter { $0.state == .settled }
    let sorted = status.targets.filter { $0.state != .settled } + settled
    let shown = sorted.prefix(Self.shownTargets)
    let width = shown.map(\.name.printable.count).max() ?? 0
    let lines = shown.map { target in
      var name = target.name.printable
      name += String(repeating: " ", count: width - name.count)
      let isSettled = target.state == .settled
      var detail = (isSettled ? target.file ?? target.reason : target.reason ?? target.file) ?? ""
      if target.state == .failed, let nextTry { detail += "; \(nextTry)" }
      if target.state == .drifted, status.nextTry == nil {
        detail += "; 'settlectl apply \(target.name)' puts it back"
      }
      return "    \(name)  \(word(for: target.state))  \(detail.printable)"
    }
    let rest = sorted.count - shown.count
    return rest > 0 ? lines + ["    and \(rest) more: settlectl status --json"] : lines
  }

  /// When what failed is tried again by itself.
  private var nextTry: String? {
    status.nextTry.map { "next try in \(max(0, $0.seconds - now.seconds)) s" }
  }

  /// What becomes of a reload that failed, while that matters.
  private func nextTry(after verdict: Verdict) -> String {
    guard status.state == .degraded, verdict.outcome == .rolledBack else { return "" }
    return "; " + (nextTry ?? "not tried again until an input changes, or 'settlectl reload'")
  }

  private func findings(of verdict: Verdict) -> [String] {
    let shown = verdict.diagnostics.prefix(Self.shownFindings)
    let lines = shown.flatMap { $0.description.split(separator: "\n") }.map { "    \($0)" }
    let rest = verdict.diagnostics.count - shown.count
    return rest > 0 ? lines + ["    and \(rest) more: settlectl status --json"] : lines
  }

  private func word(for state: Status.Target.State) -> String {
    let padded = state.rawValue + String(repeating: " ", count: 7 - state.rawValue.count)
    switch state {
    case .settled, .skipped: return padded
    case .pending: return style.colored(padded, .yellow)
    case .failed, .drifted: return style.colored(padded, .red)
    }
  }

  private func word(for outcome: Verdict.Outcome) -> String {
    switch outcome {
    case .applied: "applied"
    case .unchanged: "nothing changed"
    case .refused: style.colored("refused", .red)
    case .rolledBack: style.colored("failed and rolled back", .red)
    }
  }

  private func age(_ instant: Timestamp) -> String { instant.age(at: now) }
}

extension Timestamp {
  /// How long ago the instant was, in its largest unit.
  func age(at now: Timestamp) -> String {
    let seconds = max(0, now.seconds - self.seconds)
    switch seconds {
    case ..<60: return "\(seconds) s ago"
    case ..<3600: return "\(seconds / 60) min ago"
    case ..<86_400: return "\(seconds / 3600) h ago"
    default: return "\(seconds / 86_400) d ago"
    }
  }
}
