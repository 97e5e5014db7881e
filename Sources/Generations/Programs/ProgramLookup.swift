import SettledObserving
import SettledSettings
import SettledValues

/// Finds what the manifest's expressions name: derived values, settings, `settings` and `facts`.
///
/// It notices whether a secret was read, so that what was computed with it is one too.
@ObservingActor
final class ProgramLookup: Lookup {
  private let program: Program
  private let settings: SettingsLookup
  private var secretDerivedReads = 0

  init(_ program: Program) {
    self.program = program
    settings = program.store.lookup(facts: program.facts)
  }

  /// Whether anything read so far is secret.
  var hasReadSecret: Bool { secretReads > 0 }

  /// How many reads gave something secret so far.
  var secretReads: Int { secretDerivedReads + settings.secretReads }

  func lookUp(_ name: String) throws -> Found? {
    if let memo = program.derived[.string(name)] {
      switch memo.value {
      case .success(let computed):
        if computed.isSecret { secretDerivedReads += 1 }
        return .value(computed.value)
      case .failure: throw DerivedFailure(name: name)
      }
    }
    return settings.lookUp(name)
  }
}
