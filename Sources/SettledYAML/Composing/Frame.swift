/// A map or list that is being read.
struct Frame {
  /// What comes next in a map.
  enum Expectation {
    case key, value
  }

  var node = NodeRecord.none
  var isMap = false
  var isFlow = false
  /// In a map: whether the next node is a key.
  var expects = Expectation.value
  /// The key whose value comes next.
  var key = NodeRecord.none
  var keyLine: UInt32 = 0
  var keyColumn: UInt32 = 0
  var keyFlags: NodeRecord.Flags = []
  var first = NodeRecord.none
  var last = NodeRecord.none
  var count: UInt32 = 0
  /// What the map is flagged with when it ends: `hasNull`, `isMerge` where it has a merge key.
  var flags: NodeRecord.Flags = []
  /// The anchor that names it, as a position in the table of anchors.
  var anchor: Int?
  /// The nodes read before it, expanded.
  var expandedBefore = 0
  /// The levels below it.
  var height = 0
}

/// What an anchor names.
struct Anchor {
  var line: UInt32
  var column: UInt32
  var node: UInt32
  /// Whether the map or list it names is still being read.
  var isOpen: Bool
  /// The nodes it stands for, expanded.
  var size = 1
  /// The levels it stands for.
  var height = 0
}

/// The byte of a code point's index: libyaml's marks count code points.
///
/// Marks mostly grow, so the search goes on from the last one.
struct ByteCursor {
  private let isASCII: Bool
  private let start: Int
  private var index = 0
  private var offset: Int

  init(_ source: Source, isASCII: Bool) {
    self.isASCII = isASCII
    start = source.start
    offset = start
  }

  /// The byte where the code point `target` starts.
  mutating func offset(of target: Int, in source: Source) -> Int {
    if isASCII { return start + target }
    if target < index { (index, offset) = (0, start) }
    while index < target, offset < source.bytes.count {
      offset += 1
      while offset < source.bytes.count, Source.continues(source.bytes[offset]) { offset += 1 }
      index += 1
    }
    return offset
  }
}
