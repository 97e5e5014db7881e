import SettledInputs
import SettledObserving
import SettledValues
import SettledYAML
import Targets

extension Planner {
  /// Finds the destinations that are one with another or with an input, or in the way of one.
  ///
  /// Where all lies as it did, that is known.
  mutating func findClashes() {
    if former?.hasSamePlaces == true, looks.places?.stillHold(inputs) == true { return }
    var places = Places(inputs, state: program.destinations.reserved)
    for (position, instance) in wanted.enumerated() {
      guard let path = instance.file?.path else { continue }
      if let clash = places.take(path, of: position) { tell(clash, position, path) }
    }
    looks.places = places
    for (position, instance) in wanted.enumerated() where looks.links[instance.name] != nil {
      looks.links[instance.name] = instance.file?.path.linked
      findClashes(ofLinkOf: position)
    }
  }

  /// Finds what a destination is one with, or in the way of, through the link that stands there.
  mutating func findClashes(ofLinkOf position: Int) {
    guard !looks.links.isEmpty, !clashing.contains(position),
      let path = looks.links[wanted[position].name],
      let clash = looks.places?.take(at: path, of: position)
    else { return }
    if case (.same, .target(let other)) = (clash.relation, clash.holder),
      wanted[other].file?.path.linked.hasSameBytes(as: path) != true
    {
      looks.places?.pass(path, to: position)
    } else {
      tell(clash, position, path)
    }
  }

  /// Tells of two things that cannot both be, at the later one.
  private mutating func tell(_ clash: Places.Clash, _ position: Int, _ path: String) {
    clashing.insert(position)
    let instance = wanted[position]
    guard let node = rule(instance).file?.node, let file = instance.file else { return }
    let hint = file.path == path ? nil : "'\(file.path)' is a link to it"
    switch clash.holder {
    case .state:
      faults.append(
        node.fault(
          "target '\(instance.name)': '\(path)' lies in the state directory, which is settled's own",
          hint: hint))
    case .input(let input):
      tell(clash.relation, inputs.rules[input], instance, node, path, hint: hint)
    case .target(let other):
      tell(clash.relation, wanted[other], instance, node, path, hint: hint)
    }
  }

  private mutating func tell(
    _ relation: Places.Relation, _ other: Wanted, _ instance: Wanted, _ node: YAMLNode,
    _ path: String, hint: String?
  ) {
    guard let otherNode = rule(other).file?.node, let otherPath = other.file?.path else { return }
    let names = "targets '\(other.name)' and '\(instance.name)'"
    let (lower, upper) = relation == .above ? (otherPath, path) : (path, otherPath)
    let message =
      relation == .same
      ? "\(names) have one destination, '\(path)'"
      : "\(names) cannot both be: '\(lower)' lies below '\(upper)', which is a file"
    faults.append(
      node.fault(
        message, hint: hint,
        notes: [Diagnostic.Note("the other is here", at: otherNode.place)]))
  }

  private mutating func tell(
    _ relation: Places.Relation, _ rule: InputRule, _ instance: Wanted, _ node: YAMLNode,
    _ path: String, hint: String?
  ) {
    let isDropIn = if case .glob = rule { relation == .same } else { false }
    let input = inputs.shown(rule)
    let would = "target '\(instance.name)' would"
    let message =
      switch relation {
      case .same where isDropIn: "\(would) write '\(path)', which the layer '\(input)' takes in"
      case .same: "\(would) overwrite the input '\(input)'"
      case .below: "\(would) need a directory in the place of the input '\(input)'"
      case .above: "\(would) put a file in the place of a directory of the input '\(input)'"
      }
    let way = "name the file so that no layer takes it, or put it into another directory"
    let notes = inputs.place(of: rule).map { [Diagnostic.Note("it is named here", at: $0)] } ?? []
    faults.append(node.fault(message, hint: hint ?? (isDropIn ? way : nil), notes: notes))
  }
}
