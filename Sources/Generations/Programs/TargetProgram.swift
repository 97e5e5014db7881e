import Expressions
import SettledObserving
import SettledValues
import SettledYAML
import Targets

/// A target at work: which instances there are, and what each wants.
@ObservingActor
final class TargetProgram {
  typealias KeysMemo = Memo<Result<[Value], Refusal>, Never>
  typealias WantedMemo = Memo<Result<Wanted?, Refusal>, Never>

  private let rule: TargetRule
  private let renderer: TargetRenderer
  private unowned let program: Program
  private var keys: KeysMemo?
  private var instances: [Value: WantedMemo] = [:]
  /// The instances in the order of their keys, as they were last asked for.
  private var ordered: (keys: [Value], memos: [WantedMemo]) = ([], [])

  init(_ rule: TargetRule, at position: Int, in program: Program, _ destinations: Destinations) {
    self.rule = rule
    self.program = program
    renderer = TargetRenderer(rule: rule, position: position, destinations: destinations)
    guard let each = rule.each else { return }
    keys = Memo(rule.name, fallback: .failure(Refusal([]))) { [unowned self] in keys(of: each) }
  }

  /// What every instance wants, or what is wrong with it; nothing for one that is not wanted.
  var wanted: [Result<Wanted?, Refusal>] {
    guard let keys else { return [memo(for: nil).value] }
    switch keys.value {
    case .failure(let refusal): return [.failure(refusal)]
    case .success(let keys):
      if ordered.keys != keys {
        let known = Set(keys)
        instances = instances.filter { known.contains($0.key) }
        ordered = (keys, keys.map { memo(for: $0) })
      }
      return ordered.memos.map { $0.value }
    }
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
        return .failure(fault(each, "\(thing) is no map or list"))
      }
      guard !lookup.hasReadSecret else {
        return .failure(
          fault(each, "\(thing) goes through secret keys, and instances are named by them"))
      }
      return .success(keys)
    } catch let error as ExpressionError {
      let isSecret = lookup.hasReadSecret
      return .failure(
        Refusal(error.diagnostics(in: each.node, of: thing, program, isSecret: isSecret)))
    } catch is DerivedFailure {
      return .failure(Refusal([]))
    } catch {
      return .failure(fault(each, "\(error)"))
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

  private func fault(_ rule: ExpressionRule, _ message: String) -> Refusal {
    Refusal([rule.node.fault(message)])
  }
}
