import SettledInputs

extension Watcher {
  /// What an administrator should look at, a sentence each.
  var warnings: [String] {
    var warnings: [String] = []
    if case .polling(let reason) = health {
      warnings.append("inputs are polled, not watched: \(reason)")
    }
    if missedByInotify > 0 {
      warnings.append(
        "\(missedByInotify) changes were found by comparing only; the kernel did not tell them")
    }
    return warnings
  }
}
