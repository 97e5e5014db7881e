public import SettledValues

extension YAMLNode {
  /// The elements of a list, each read by `read`.
  ///
  /// - Throws: the faults of all elements, or that it is no list.
  public func list<Element>(
    of read: (YAMLNode) throws(Refusal) -> Element
  ) throws(Refusal) -> [Element] {
    guard kind == .list else { throw mismatch("a list") }
    var list: [Element] = []
    var faults: [Diagnostic] = []
    for element in elements {
      do { list.append(try read(element)) } catch { faults += error.diagnostics }
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    return list
  }

  /// The entries of a map in order, each value read by `read`.
  ///
  /// - Throws: the faults of all entries, or that it is no map.
  public func map<Element>(
    of read: (YAMLNode) throws(Refusal) -> Element
  ) throws(Refusal) -> [(key: String, value: Element)] {
    guard kind == .map else { throw mismatch("a map") }
    var map: [(key: String, value: Element)] = []
    var faults: [Diagnostic] = []
    for entry in entries {
      do { map.append((entry.key, try read(entry.value))) } catch { faults += error.diagnostics }
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    return map
  }

  /// The whole by the core schema of YAML 1.2, with warnings of what YAML 1.1 reads differently.
  public func value(warnings: inout [Diagnostic]) -> Value {
    switch kind {
    case .map:
      .map(ValueMap(entries.map { (.string($0.key), $0.value.value(warnings: &warnings)) }))
    case .list: .list(elements.map { $0.value(warnings: &warnings) })
    case .scalar: scalarValue(warnings: &warnings)
    }
  }

  /// The whole by the core schema of YAML 1.2.
  public func value() -> Value {
    switch kind {
    case .map: .map(ValueMap(entries.map { (.string($0.key), $0.value.value()) }))
    case .list: .list(elements.map { $0.value() })
    case .scalar: scalarValue
    }
  }

  private func scalarValue(warnings: inout [Diagnostic]) -> Value {
    if let oddity { warnings.append(oddity) }
    return scalarValue
  }

  private var scalarValue: Value {
    let record = record
    return document.withText(of: record) { text in
      switch record.scalarClass {
      case .null: .null
      case .yes: true
      case .no: false
      default:
        record.integer(text).map(Value.int) ?? record.number(text).map(Value.double)
          ?? .string(String(decoding: text, as: UTF8.self))
      }
    }
  }

  /// A warning for a plain scalar that YAML 1.1 and 1.2, or other readers, take for different things.
  var oddity: Diagnostic? {
    guard kind == .scalar, record.scalarClass.isOdd else { return nil }
    var warning = fault("")
    warning.severity = .warning
    let name = document.isSecret ? "the value" : shown
    if record.scalarClass == .paddedFloat, let number {
      warning.message =
        "\(name) is read as \(document.isSecret ? "a number" : "the number \(number)")"
      warning.hint = "quote it to keep it as it is written"
    } else {
      warning.message = "\(name) is read as text"
      warning.hint = (reason.map { $0 + "; " } ?? "") + "quote it if text is meant"
    }
    return warning
  }
}

extension YAMLDocument {
  /// Warnings of all plain scalars that YAML 1.1 and 1.2 read differently.
  public func oddities() -> [Diagnostic] { oddities { _ in true } }

  /// The same of those whose entry `isOdd` takes.
  package func oddities(where isOdd: (UInt32) -> Bool) -> [Diagnostic] {
    oddScalars.filter(isOdd).compactMap { YAMLNode(document: self, entry: $0).oddity }
  }

  /// Errors for all keys and list items with nothing after them.
  public func missingValues() -> [Diagnostic] {
    emptyScalars.map { number in
      let node = YAMLNode(document: self, entry: number)
      let record = nodes[Int(number)]
      guard record.key != NodeRecord.none else {
        return node.fault("no value", hint: "write null for none, or delete the item")
      }
      let key = key(record.key)
      let place = source.place(line: record.keyLine, column: record.keyColumn)
      return Diagnostic(
        .error, "no value for '\(key)'; write null to unset", at: place,
        excerpt: source.excerpt(at: place, length: key.unicodeScalars.count),
        hint: key.utf8.contains(UInt8(ascii: ":")) ? "is the space after the ':' missing?" : nil)
    }
  }
}
