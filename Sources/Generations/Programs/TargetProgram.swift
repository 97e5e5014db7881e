import Expressions
import SettledObserving
import SettledValues
import SettledYAML
import Targets

/// A target at work: which instances there are, and what each wants.
@ObservingActor
final class TargetProgram {
  typealias KeysMemo = Memo<Result<[Value], Refusal>, Never>
  /// What an instance wants, nil where it is not wanted, or what is wrong with it.
  typealias Outcome = Result<Wanted?, Refusal>
  typealias WantedMemo = Memo<Outcome, Never>

  private let rule: TargetRule
  private let renderer: TargetRenderer
  private unowned let program: Program
  private var keys: KeysMemo?
  private var instances: [Value: WantedMemo] = [:]
  /// The keys of the instances, as they were last asked for; none where there is one without a key.
  private var orderedKeys: [Value] = []
  /// The instances in the order of their keys.
  private(set) var memos: [WantedMemo] = []

  init(_ rule: TargetRule, at position: Int, in program: Program, _ destinations: Destinations) {
    self.rule = rule
    self.program = program
    renderer = TargetRenderer(rule: rule, position: position, destinations: destinations)
    guard let each = rule.each else { return }
    keys = Memo(rule.name, fallback: .failure(Refusal([]))) { [unowned self] in keys(of: each) }
  }

  /// Takes in which instances there are now; tells whether they are not those there were.
  func arrange() -> Bool {
    guard let keys else {
      guard memos.isEmpty else { return false }
      memos = [memo(for: nil)]
      return true
    }
    let wanted = (try? keys.value.get()) ?? []
    guard orderedKeys != wanted else { return false }
    let known = Set(wanted)
    instances = instances.filter { known.contains($0.key) }
    (orderedKeys, memos) = (wanted, wanted.map { memo(for: $0) })
    return true
  }

  /// Why it is not known which instances there are.
  var fault: Refusal? {
    if case .failure(let refusal)? = keys?.value { refusal } else { nil }
  }

  /// All that is wrong with it.
  var faults: [Diagnostic] {
    fault?.diagnostics ?? memos.flatMap { $0.value.faults }
  }

  /// What an instance read last, or all of them for nil, with what decides which there are.
  func sources(of instance: String?) -> [ObjectIdentifier] {
    let meant = instances.filter { key, _ in
      instance == nil || keys == nil || instance == "\(rule.name)[\(key.text ?? "")]"
    }
    return (keys?.sources ?? [])
      + meant.sorted { ($0.key.text ?? "") < ($1.key.text ?? "") }.flatMap(\.value.sources)
  }

  /// What an instance and the choice of instances read, of what `isMeant` picks.
  func reads(
    of key: Value?, upTo limit: Int, where isMeant: (ObjectIdentifier) -> Bool
  ) -> [ObjectIdentifier] {
    let own = memo(for: key).reads(upTo: limit, where: isMeant)
    guard own.isEmpty, let keys else { return own }
    return keys.reads(upTo: limit, where: isMeant)
  }

  private func memo(for key: Value?) -> WantedMemo {
    if let memo = instances[key ?? .null] { return memo }
    let memo = WantedMemo(rule.name, fallback: .failure(Refusal([]))) { [unowned self] in
      renderer.wanted(key: key, in: program)
    }
    instances[key ?? .null] = memo
    return memo
  }

  private func keys(of each: ExpressionRule) -> Result<[Value], Refusal> {
    let lookup = ProgramLookup(program)
    let thing = "'each' of target '\(rule.name)'"
    do {
      guard let keys = try Self.keys(of: lookup.find(each)) else {
        return .failure(refusal(each, "\(thing) is no map or list"))
      }
      guard !lookup.hasReadSecret else {
        return .failure(
          refusal(each, "\(thing) goes through secret keys, and instances are named by them"))
      }
      return .success(keys)
    } catch let error as ExpressionError {
      let isSecret = lookup.hasReadSecret
      return .failure(
        Refusal(error.diagnostics(in: each.node, of: thing, program, isSecret: isSecret)))
    } catch is DerivedFailure {
      return .failure(Refusal([]))
    } catch {
      return .failure(refusal(each, "\(error)"))
    }
  }

  /// The keys of a map or the positions of a list; nil for anything else.
  private static func keys(of found: Found?) throws -> [Value]? {
    switch found {
    case .container(let container)?: keys(of: container)
    case .value(.map(let map))?: map.keys
    case .value(.list(let list))?: list.indices.map { .int(Int64($0)) }
    default: nil
    }
  }

  private static func keys(of container: any Container) -> [Value] {
    container.isList
      ? (0..<container.count).map { .int(Int64($0)) } : container.keys.map { .string($0) }
  }

  private func refusal(_ rule: ExpressionRule, _ message: String) -> Refusal {
    Refusal([rule.node.fault(message)])
  }
}
