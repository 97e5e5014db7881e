extension TimeZone {
  /// Reads a file of the tz database (RFC 9636); nil where it is not one.
  init?(tzif bytes: [UInt8]) {
    guard let old = TZifHeader(bytes, at: 0) else { return nil }
    var header = old
    var width = 4
    if old.version >= 2 {
      guard let new = TZifHeader(bytes, at: old.end(width: 4)) else { return nil }
      header = new
      width = 8
    }
    let end = header.end(width: width)
    guard end <= bytes.count, header.typeCount > 0 else { return nil }
    self.init()
    guard readBlock(bytes, header, width) else { return nil }
    if width == 8, end < bytes.count {
      let footer = bytes[(end + 1)...].prefix { $0 != 0x0A }
      rule = TimeZoneRule(String(decoding: footer, as: UTF8.self))
    }
  }

  private mutating func readBlock(_ bytes: [UInt8], _ header: TZifHeader, _ width: Int) -> Bool {
    let times = header.start
    let indices = times + header.timeCount * width
    let types = indices + header.timeCount
    func offset(ofType index: Int) -> Int64 {
      Int64(Int32(truncatingIfNeeded: bytes.bigEndian(at: types + index * 6, width: 4)))
    }
    first = offset(ofType: 0)
    for position in 0..<header.timeCount {
      let raw = bytes.bigEndian(at: times + position * width, width: width)
      let time = width == 8 ? Int64(bitPattern: raw) : Int64(Int32(truncatingIfNeeded: raw))
      let type = Int(bytes[indices + position])
      guard type < header.typeCount, transitions.last.map({ $0 < time }) ?? true else {
        return false
      }
      transitions.append(time)
      offsets.append(offset(ofType: type))
    }
    return true
  }
}

/// The counts at the head of a TZif block.
private struct TZifHeader {
  let version: UInt8
  let start: Int
  let timeCount: Int
  let typeCount: Int
  private let rest: (utcCount: Int, standardCount: Int, leapCount: Int, nameLength: Int)

  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset >= 0, offset + 44 <= bytes.count,
      bytes[offset..<offset + 4].elementsEqual("TZif".utf8)
    else { return nil }
    func count(_ position: Int) -> Int {
      Int(bytes.bigEndian(at: offset + 20 + position * 4, width: 4))
    }
    version = bytes[offset + 4] == 0 ? 1 : bytes[offset + 4] - UInt8(ascii: "0")
    start = offset + 44
    timeCount = count(3)
    typeCount = count(4)
    rest = (count(0), count(1), count(2), count(5))
  }

  /// The position after the block, with times of `width` bytes.
  func end(width: Int) -> Int {
    start + timeCount * (width + 1) + typeCount * 6 + rest.nameLength
      + rest.leapCount * (width + 4) + rest.standardCount + rest.utcCount
  }
}

extension [UInt8] {
  /// The unsigned number of `width` bytes at `position`.
  fileprivate func bigEndian(at position: Int, width: Int) -> UInt64 {
    self[position..<position + width].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
