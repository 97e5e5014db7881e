import SettledObserving
import SettledSettings
public import SettledValues

extension Generator {
  /// Explains a setting, derived value, fact or target of the generation in force, or of the
  /// candidate where none is in force; nil where there is neither.
  ///
  /// - Throws: that there is no such thing.
  public func explain(
    _ name: String, as kind: Explanation.Kind? = nil
  ) throws(Refusal) -> Explanation? {
    guard let (program, generation, wanted, schema) = examined else { return nil }
    return try Explainer(program, generation, wanted, schema).explain(name, as: kind)
  }

  /// What is read by what; nil where nothing is in force or prepared.
  public var graph: DependencyGraph? { examined.map { DependencyGraph($0.program) } }
}

extension Preparation {
  /// Makes one pass over a manifest without looking at targets, and explains something of it.
  public static func explaining(
    _ name: String, as kind: Explanation.Kind?, manifest: String
  ) -> (preparation: Preparation, explanation: Result<Explanation?, Refusal>) {
    examining(manifest) { generator in
      Result { () throws(Refusal) in try generator.explain(name, as: kind) }
    }
  }

  /// Makes one pass over a manifest without looking at targets, and draws what is read by what.
  public static func drawing(
    manifest: String
  ) -> (preparation: Preparation, graph: DependencyGraph?) {
    examining(manifest) { $0.graph }
  }

  private static func examining<Answer: Sendable>(
    _ manifest: String, _ question: @ObservingActor @Sendable (Generator) -> Answer
  ) -> (Preparation, Answer) {
    ObservingActor.sync {
      let generator = Generator(manifest: manifest, comparesFiles: false)
      let preparation = generator.prepare()
      return (preparation, question(generator))
    }
  }
}
