/// Which lines of two texts the other one has not.
struct LineChanges {
  /// Up to this product of the numbers of lines, over all parts, as few changes as possible are told.
  ///
  /// Time and room grow with it. Above it a text is parted at the lines that stand once in both, as by
  /// the patience diff, and of a part that is too long still all is told.
  private static let searchLimit = 4_000_000

  private(set) var removed: Set<Int> = []
  private(set) var added: Set<Int> = []
  private var searches = Self.searchLimit

  init(from former: [Substring], to wanted: [Substring]) {
    // Lines are compared by bytes: a text that looks the same may be another one.
    var numbers: [[UInt8]: Int] = [:]
    func number(_ line: Substring) -> Int {
      let (key, next) = (Array(line.utf8), numbers.count)
      if let known = numbers[key] { return known }
      numbers[key] = next
      return next
    }
    let (old, new) = (former.map(number), wanted.map(number))
    guard !search(old[...], new[...]) else { return }
    var (left, right) = (0, 0)
    for anchor in Self.anchors(old, new) + [(old.count, new.count)] {
      let (before, wanted) = (old[left..<anchor.old], new[right..<anchor.new])
      if !search(before, wanted) {
        removed.formUnion(before.indices)
        added.formUnion(wanted.indices)
      }
      (left, right) = (anchor.old + 1, anchor.new + 1)
    }
  }

  /// Finds as few changes as possible; false where that takes too long.
  private mutating func search(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> Bool {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let (left, right) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    let (former, wanted) = (left.dropLast(end), right.dropLast(end))
    guard former.count * wanted.count <= searches else { return false }
    searches -= former.count * wanted.count
    for change in Array(wanted).difference(from: Array(former)) {
      switch change {
      case .remove(let offset, _, _): removed.insert(former.startIndex + offset)
      case .insert(let offset, _, _): added.insert(wanted.startIndex + offset)
      }
    }
    return true
  }

  /// The places of lines that stand once in both texts: as many as have the same order in both.
  private static func anchors(_ old: [Int], _ new: [Int]) -> [(old: Int, new: Int)] {
    let (once, onceToo) = (placesOfSingles(old), placesOfSingles(new))
    let pairs = new.indices.compactMap { place in
      onceToo[new[place]] == place ? once[new[place]].map { (old: $0, new: place) } : nil
    }
    // The longest ascending sequence: of each length, the one that ends earliest, and what is before.
    var ends: [Int] = []
    var before: [Int?] = []
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].old < pair.old { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var anchors: [(old: Int, new: Int)] = []
    var last = ends.last
    while let index = last {
      anchors.append(pairs[index])
      last = before[index]
    }
    return anchors.reversed()
  }

  /// The places of the lines that stand once.
  private static func placesOfSingles(_ lines: [Int]) -> [Int: Int] {
    var places: [Int: Int] = [:]
    var repeated: Set<Int> = []
    for (place, line) in lines.enumerated() where places.updateValue(place, forKey: line) != nil {
      repeated.insert(line)
    }
    return places.filter { !repeated.contains($0.key) }
  }
}
