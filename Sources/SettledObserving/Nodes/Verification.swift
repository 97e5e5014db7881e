extension Derivation {
  /// Makes the value hold: evaluates if, and only if, something that was read is different.
  final func refresh() {
    Graph.markUnsettled()
    switch state {
    case .clean, .running: break
    case .suspect: if isVerifying { evaluate() } else { Graph.verify(self) }
    case .stale: evaluate()
    }
  }
}

extension Graph {
  /// A derivation whose sources are being looked at, and the next of them.
  private struct Frame {
    let derivation: Derivation
    var place = 0
  }

  /// The derivations being verified; a list, so that a long chain needs no stack.
  private static var frames: [Frame] = []

  /// Brings `derivation`, which is suspect, up to date.
  static func verify(_ derivation: Derivation) {
    let outer = frames.count
    push(derivation)
    while frames.count > outer {
      if let source = nextSuspect() { push(source) } else { pop() }
    }
  }

  private static func push(_ derivation: Derivation) {
    derivation.isVerifying = true
    frames.append(Frame(derivation: derivation))
  }

  private static func pop() {
    frames.removeLast().derivation.isVerifying = false
  }

  /// Looks at the sources of the top derivation up to one that must be verified first.
  ///
  /// Without one, the derivation is up to date: all were as they had been, or it was evaluated at
  /// the first that was not.
  private static func nextSuspect() -> Derivation? {
    let top = frames.count - 1
    let derivation = frames[top].derivation
    while derivation.state == .suspect {
      let place = frames[top].place
      guard place < derivation.sources.count else {
        derivation.state = .clean
        break
      }
      let node = derivation.sources[place].node
      if let source = node.asDerivation, source.state != .clean {
        if source.state == .suspect && !source.isVerifying { return source }
        if source.state == .stale { source.evaluate() }
      }
      // A source that is not clean now is part of a cycle, which evaluating will find.
      let isClean = node.asDerivation.map { $0.state == .clean } ?? true
      if isClean && node.version == derivation.sources[place].seen {
        frames[top].place += 1
      } else if derivation.state == .suspect {
        derivation.evaluate()
        break
      }
    }
    return nil
  }
}
