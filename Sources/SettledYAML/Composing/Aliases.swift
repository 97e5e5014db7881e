internal import CLibYAML
internal import SettledValues

/// Anchors, aliases and merge keys, within a budget.
extension Composer {
  /// Declares the anchor of a node.
  mutating func declare(
    _ name: UnsafePointer<UInt8>?, at mark: yaml_mark_t, node: UInt32, isOpen: Bool = false
  ) {
    let name = text(name)
    let anchor = Anchor(
      line: UInt32(truncatingIfNeeded: mark.line), column: UInt32(truncatingIfNeeded: mark.column),
      node: node, isOpen: isOpen)
    checkGlued("&\(name)", mark)
    if let first = anchorNames.updateValue(anchors.count, forKey: name) {
      findings.add(
        "the anchor '&\(name)' is declared twice", at: place(mark), length: name.utf8.count + 1,
        notes: [
          Diagnostic.Note(
            "first declared here",
            at: source.place(line: anchors[first].line, column: anchors[first].column))
        ])
    }
    anchors.append(anchor)
  }

  /// Takes an alias; false when reading is to end.
  mutating func alias(_ event: UnsafePointer<yaml_event_t>) -> Bool {
    guard skipped == 0 else { return true }
    let name = text(event.pointee.data.alias.anchor)
    let mark = event.pointee.start_mark
    checkGlued("*\(name)", mark)
    let anchor = target(name, mark)
    if frame.isMap, frame.expects == .key {
      aliasKey(name, anchor, mark)
      return !findings.isFull
    }
    var record = NodeRecord(
      kind: .alias, style: .plain, line: UInt32(truncatingIfNeeded: mark.line),
      column: UInt32(truncatingIfNeeded: mark.column))
    record.start = anchor?.node ?? NodeRecord.none
    _ = attach(&record)
    guard let anchor else {
      return !findings.isFull
    }
    if tree.nodes[Int(anchor.node)].scalarClass == .null, frame.isMap,
      tree.nodes[Int(anchor.node)].kind == .scalar
    {
      frame.flags.insert(.hasNull)
    }
    expanded += anchor.size - 1
    frame.height = max(frame.height, anchor.height)
    guard stack.count + anchor.height <= limits.depth else { return reportDepth(mark) }
    return isWithinBudget("the alias '*\(name)'", mark) && !findings.isFull
  }

  /// The anchor that an alias names, or nil with a finding.
  private mutating func target(_ name: String, _ mark: yaml_mark_t) -> Anchor? {
    guard let position = anchorNames[name] else {
      let closest = name.closest(among: anchorNames.keys)
      findings.add(
        "nothing above is anchored as '&\(name)'", at: place(mark), length: name.utf8.count + 1,
        hint: closest.map { "did you mean '*\($0)'?" }
          ?? "for text that starts with '*', quote it")
      return nil
    }
    let anchor = anchors[position]
    guard !anchor.isOpen else {
      findings.add(
        "the alias '*\(name)' is inside the value it names", at: place(mark),
        length: name.utf8.count + 1,
        notes: [
          Diagnostic.Note(
            "the value starts here", at: source.place(line: anchor.line, column: anchor.column))
        ])
      return nil
    }
    return anchor
  }

  private mutating func aliasKey(_ name: String, _ anchor: Anchor?, _ mark: yaml_mark_t) {
    guard let anchor else { return takeKey(NodeRecord.none, mark) }
    let record = tree.nodes[Int(anchor.node)]
    guard record.kind == .scalar else {
      findings.add(
        "a \(record.kind == .map ? "map" : "list") as a key", at: place(mark),
        length: name.utf8.count + 1)
      return takeKey(NodeRecord.none, mark)
    }
    let range = Int(record.start)..<Int(record.start) + Int(record.count)
    let text = record.flags.contains(.isAside) ? tree.side[range] : source.bytes[range]
    takeKey(text.withUnsafeBufferPointer { tree.keys.intern($0) }, mark)
  }

  /// Tells whether all that aliases stand for is within the limit, with a finding where it is not.
  private mutating func isWithinBudget(_ what: String, _ mark: yaml_mark_t) -> Bool {
    let (product, overflow) = tree.nodes.count.multipliedReportingOverflow(
      by: limits.expansionFactor)
    let limit = limits.expandedNodes + (overflow ? 0 : product)
    guard expanded > limit else { return true }
    findings.add(
      "with \(what) the file stands for \(expanded) nodes: the limit 'expanded_nodes' is \(limit)",
      at: place(mark),
      hint: "\(limits.expandedNodes) and \(limits.expansionFactor) for each node written")
    return false
  }

  /// Puts the entries that the merge key of the open map names into its place.
  ///
  /// The map's own keys win, then the map named first (yaml.org/type/merge.html).
  mutating func mergeEntries() {
    var before = NodeRecord.none
    var child = frame.first
    while child != NodeRecord.none, !tree.nodes[Int(child)].flags.contains(.isMerge) {
      (before, child) = (child, tree.nodes[Int(child)].next)
    }
    guard child != NodeRecord.none, let sources = mergeSources(child) else { return }
    var last = before
    let rest = tree.nodes[Int(child)].next
    frame.count -= 1
    for source in sources {
      expanded += Int(tree.nodes[Int(source.map)].count)
      guard isWithinBudget("this merge key", mark(source.alias)) else { return }
      for entry in entries(of: source.map) where !isSet(entry) {
        last = append(entry, mergedAt: source.alias, after: last)
      }
    }
    link(rest, after: last)
  }

  private mutating func append(
    _ entry: UInt32, mergedAt alias: UInt32, after last: UInt32
  ) -> UInt32 {
    var record = tree.nodes[Int(entry)]
    let target = record.kind == .alias ? record.start : entry
    guard target != NodeRecord.none else { return last }
    if tree.nodes[Int(target)].kind == .scalar, tree.nodes[Int(target)].scalarClass == .null {
      frame.flags.insert(.hasNull)
    }
    record.kind = .alias
    record.flags = .isMerged
    record.line = tree.nodes[Int(alias)].line
    record.column = tree.nodes[Int(alias)].column
    record.start = target
    let index = UInt32(truncatingIfNeeded: tree.nodes.count)
    tree.nodes.append(record)
    link(index, after: last)
    frame.count += 1
    return index
  }

  /// Tells whether the open map has the key of `entry`; it has it afterwards.
  private mutating func isSet(_ entry: UInt32) -> Bool {
    let key = Int(tree.nodes[Int(entry)].key)
    guard key != Int(NodeRecord.none), lastMap[key] != mapNumber else { return true }
    lastMap[key] = mapNumber
    return false
  }

  private mutating func link(_ index: UInt32, after last: UInt32) {
    if last == NodeRecord.none {
      frame.first = index
    } else {
      tree.nodes[Int(last)].next = index
    }
  }

  private func entries(of map: UInt32) -> [UInt32] {
    let record = tree.nodes[Int(map)]
    var entries: [UInt32] = []
    var child = record.flags.contains(.isWide) ? tree.slots[Int(record.start)] : record.start
    while child != NodeRecord.none {
      entries.append(child)
      child = tree.nodes[Int(child)].next
    }
    return entries
  }

  /// The maps that a merge key names and the aliases that name them, or nil with a finding.
  private mutating func mergeSources(_ merge: UInt32) -> [(map: UInt32, alias: UInt32)]? {
    let value = tree.nodes[Int(merge)]
    let aliases = value.kind == .list ? entries(of: merge) : [merge]
    var sources: [(map: UInt32, alias: UInt32)] = []
    for alias in aliases {
      let record = tree.nodes[Int(alias)]
      if record.kind == .alias, record.start == NodeRecord.none { return nil }
      guard record.kind == .alias, tree.nodes[Int(record.start)].kind == .map else {
        findings.add(
          "'<<' takes the alias of a map, or a list of them", at: place(mark(alias)),
          hint: "write '<<: *name', or quote the key: \"<<\"")
        return nil
      }
      sources.append((record.start, alias))
    }
    return sources
  }

  private func mark(_ node: UInt32) -> yaml_mark_t {
    let record = tree.nodes[Int(node)]
    return yaml_mark_t(index: 0, line: Int(record.line), column: Int(record.column))
  }

  private func text(_ name: UnsafePointer<UInt8>?) -> String {
    name.map { String(cString: $0) } ?? ""
  }

  /// Refuses an anchor that runs into what follows: libyaml cuts it there and takes the rest for the
  /// value.
  private mutating func checkGlued(_ written: String, _ mark: yaml_mark_t) {
    let sigil = written.utf8.first
    var offset = cursor.offset(of: mark.index, in: source)
    let end = source.bytes.count
    while offset < end, source.bytes[offset] != sigil { offset += 1 }
    let after = offset + written.utf8.count
    guard after < end, !" \t\r\n,[]{}".utf8.contains(source.bytes[after]) else { return }
    findings.add(
      "'\(written)' runs into what follows", at: source.place(ofByte: after),
      hint: "put a space behind the name; names have letters, digits, '-' and '_'")
  }
}
