internal import SettledPatterns

/// A compiled schema: all its parts in flat tables.
struct SchemaTables: Sendable {
  var nodes: [SchemaNode] = []
  var numbers: [NumberRules] = []
  var texts: [TextRules] = []
  var lists: [ListRules] = []
  var maps: [MapRules] = []
  var properties: [PropertyRule] = []
  var patternRules: [PatternRule] = []
  var inPlace: [InPlaceRules] = []
  var constants: [ConstantRules] = []
  /// Numbers of schemas, properties or values, in the ranges that others name.
  var references: [Int32] = []
  /// Indexes over properties and values, addressed by hash.
  var slots: [Int32] = []
  var keyBytes: [UInt8] = []
  var patterns: [Pattern] = []
  /// The values of `enum` and `const`.
  var values = ValueTable()
  var root: Int32 = 0

  func key(_ property: PropertyRule) -> String {
    let range = Int(property.keyStart)..<Int(property.keyStart + property.keyCount)
    return String(decoding: keyBytes[range], as: UTF8.self)
  }
}

/// The tables while they are read, without counting references.
struct SchemaView {
  let nodes: UnsafeBufferPointer<SchemaNode>
  let numbers: UnsafeBufferPointer<NumberRules>
  let texts: UnsafeBufferPointer<TextRules>
  let lists: UnsafeBufferPointer<ListRules>
  let maps: UnsafeBufferPointer<MapRules>
  let properties: UnsafeBufferPointer<PropertyRule>
  let patternRules: UnsafeBufferPointer<PatternRule>
  let inPlace: UnsafeBufferPointer<InPlaceRules>
  let constants: UnsafeBufferPointer<ConstantRules>
  let references: UnsafeBufferPointer<Int32>
  let slots: UnsafeBufferPointer<Int32>
  let keyBytes: UnsafeBufferPointer<UInt8>
  let patterns: UnsafeBufferPointer<Pattern>
  let values: ValueInstances

  /// The property with a name.
  func property(
    _ key: UnsafeBufferPointer<UInt8>, hash: UInt32, in rules: MapRules
  ) -> Int? {
    guard rules.properties.count > 0 else { return nil }
    var slot = hash & rules.mask
    while true {
      let found = slots[Int(rules.slots) + Int(slot)]
      if found < 0 { return nil }
      let property = properties[Int(found)]
      if property.hash == hash, isSameBytes(self.key(property), key) { return Int(found) }
      slot = (slot + 1) & rules.mask
    }
  }

  func key(_ property: PropertyRule) -> UnsafeBufferPointer<UInt8> {
    let start = Int(property.keyStart)
    return UnsafeBufferPointer(rebasing: keyBytes[start..<start + Int(property.keyCount)])
  }
}

extension SchemaTables {
  /// Gives the tables to `body` as a view.
  func withView<Answer>(_ body: (SchemaView) -> Answer) -> Answer {
    nodes.withUnsafeBufferPointer { nodes in
      numbers.withUnsafeBufferPointer { numbers in
        texts.withUnsafeBufferPointer { texts in
          lists.withUnsafeBufferPointer { lists in
            maps.withUnsafeBufferPointer { maps in
              properties.withUnsafeBufferPointer { properties in
                withRest { patternRules, inPlace, constants, references, slots, bytes, values in
                  patterns.withUnsafeBufferPointer { patterns in
                    body(
                      SchemaView(
                        nodes: nodes, numbers: numbers, texts: texts, lists: lists, maps: maps,
                        properties: properties, patternRules: patternRules, inPlace: inPlace,
                        constants: constants, references: references, slots: slots,
                        keyBytes: bytes, patterns: patterns, values: values))
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  private func withRest<Answer>(
    _ body: (
      UnsafeBufferPointer<PatternRule>, UnsafeBufferPointer<InPlaceRules>,
      UnsafeBufferPointer<ConstantRules>, UnsafeBufferPointer<Int32>,
      UnsafeBufferPointer<Int32>, UnsafeBufferPointer<UInt8>, ValueInstances
    ) -> Answer
  ) -> Answer {
    patternRules.withUnsafeBufferPointer { patternRules in
      inPlace.withUnsafeBufferPointer { inPlace in
        constants.withUnsafeBufferPointer { constants in
          references.withUnsafeBufferPointer { references in
            slots.withUnsafeBufferPointer { slots in
              keyBytes.withUnsafeBufferPointer { bytes in
                values.withInstances {
                  body(patternRules, inPlace, constants, references, slots, bytes, $0)
                }
              }
            }
          }
        }
      }
    }
  }
}
