import Expressions
import SettledObserving
import SettledSettings
import SettledValues

/// What the derived values and targets of a program read, as the observing store knows it.
@ObservingActor
struct Reading {
  /// Something that is read: a path of the settings, or a derived value.
  enum Source: Hashable {
    case setting(ReadPath)
    case derived(String)

    /// The path as an expression spells it, or the derived value's name.
    var name: String {
      switch self {
      case .setting(let read): read.path.description
      case .derived(let name): name
      }
    }
  }

  private let program: Program
  private let sources: [ObjectIdentifier: Source]

  init(_ program: Program) {
    self.program = program
    var sources = program.store.readPaths.mapValues(Source.setting)
    for rule in program.manifest.derived {
      guard let memo = program.derived[.string(rule.name)] else { continue }
      sources[memo.identity] = .derived(rule.name)
    }
    self.sources = sources
  }

  /// What a derived value reads itself.
  func reads(ofDerived name: String) -> [Source] {
    unique(program.derived[.string(name)]?.sources ?? [])
  }

  /// What an instance of a target reads itself, with what decides which instances there are; of all
  /// instances for nil.
  func reads(ofTarget position: Int, instance: String? = nil) -> [Source] {
    unique(program.target(position).sources(of: instance))
  }

  private func unique(_ identities: [ObjectIdentifier]) -> [Source] {
    var known: Set<Source> = []
    return identities.compactMap { sources[$0] }.filter { known.insert($0).inserted }
  }
}

extension Reading.Source {
  /// Whether this depends on what lies at `path`, or on anything below it.
  func touches(_ path: Path) -> Bool {
    guard case .setting(let read) = self else { return false }
    let (own, other) = (read.path.components, path.components)
    return own.starts(with: other) || (read.isWhole && other.starts(with: own))
  }
}
