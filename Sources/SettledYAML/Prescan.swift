internal import SettledValues

/// Looks at every byte before libyaml does: strict UTF-8, no control characters, one kind of line
/// break.
///
/// libyaml reports such faults without a place, and takes U+000D, U+0085, U+2028 and U+2029 for
/// line breaks, which no editor does.
struct Prescan {
  private(set) var isASCII = true
  private var findings: Findings
  private let end: Int
  private var offset: Int
  /// The last line with a fault: one finding a line is enough.
  private var faultyLine = 0

  private typealias Run = SIMD32<Int8>

  private init(_ findings: Findings) {
    self.findings = findings
    offset = findings.source.start
    end = findings.source.bytes.count
  }

  /// Adds the faults of the encoding to `findings`, and tells whether all is ASCII.
  static func isASCII(_ findings: inout Findings) -> Bool {
    if reportsWideEncoding(&findings) { return false }
    var scan = Prescan(findings)
    findings.source.bytes.withUnsafeBytes { scan.run($0) }
    findings = scan.findings
    return scan.isASCII
  }

  private static func reportsWideEncoding(_ findings: inout Findings) -> Bool {
    let bytes = findings.source.bytes
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard isMarked || bytes.prefix(4).contains(0) else { return false }
    let name = bytes.prefix(4).filter { $0 == 0 }.count > 2 ? "UTF-32" : "UTF-16"
    findings.add(
      "the file is \(name), not UTF-8", at: Place(file: findings.source.file),
      hint: "save it as UTF-8")
    return true
  }

  private mutating func run(_ raw: UnsafeRawBufferPointer) {
    while offset < end {
      let behind = min(offset + Run.scalarCount, end)
      if behind - offset == Run.scalarCount,
        Self.isPlain(raw.loadUnaligned(fromByteOffset: offset, as: Run.self))
      {
        offset = behind
        continue
      }
      while offset < behind {
        one(raw)
        if findings.isFull { return }
      }
    }
  }

  /// Tells whether all bytes are printable ASCII or line feeds; beyond ASCII they are negative.
  private static func isPlain(_ run: Run) -> Bool {
    // Against vectors: the operators that take a scalar go through the bytes one by one.
    let isPrintable = (run .>= Run(repeating: 0x20)) .& (run .!= Run(repeating: 0x7F))
    return all(isPrintable .| (run .== Run(repeating: 0x0A)))
  }

  private mutating func one(_ raw: UnsafeRawBufferPointer) {
    switch raw[offset] {
    case 0x20...0x7E, 0x09, 0x0A:
      offset += 1
    case 0x0D where offset + 1 < end && raw[offset + 1] == 0x0A:
      offset += 2
    case 0x0D:
      fault("carriage return without a line feed", hint: "end lines with a line feed")
      offset += 1
    case let byte where byte < 0x80:
      control(UInt32(byte))
      offset += 1
    default:
      isASCII = false
      several(raw)
    }
  }

  private mutating func several(_ raw: UnsafeRawBufferPointer) {
    guard let (scalar, length) = Self.decode(raw, at: offset) else {
      let digits = String(raw[offset], radix: 16, uppercase: true)
      fault("byte 0x\(digits) is not UTF-8", hint: "the file may be Latin-1; save it as UTF-8")
      offset += 1
      while offset < end, Source.continues(raw[offset]) { offset += 1 }
      return
    }
    switch scalar {
    case 0x80...0x9F, 0x2028, 0x2029, 0xFFFE, 0xFFFF: control(scalar)
    case 0xFEFF: fault("byte order mark (U+FEFF) inside the file", hint: "delete it")
    default: break
    }
    offset += length
  }

  private mutating func control(_ scalar: UInt32) {
    let digits = String(scalar, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    let isBreak = scalar == 0x85 || scalar == 0x2028 || scalar == 0x2029
    fault(
      isBreak ? "line break \(code) is not allowed" : "control character \(code) is not allowed",
      hint: "delete it, or write \"\\u\(code.dropFirst(2))\" in double quotes")
  }

  private mutating func fault(_ message: String, hint: String) {
    let place = findings.source.place(ofByte: offset)
    guard place.line != faultyLine else { return }
    faultyLine = place.line
    findings.add(message, at: place, hint: hint)
  }

  /// The code point at `offset` by the table of Unicode 15, 3-7, or nil where the bytes are none.
  private static func decode(
    _ raw: UnsafeRawBufferPointer, at offset: Int
  ) -> (scalar: UInt32, length: Int)? {
    let lead = raw[offset]
    let length: Int
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return nil
    }
    guard offset + length <= raw.count else { return nil }
    var scalar = UInt32(lead) & (0x7F >> UInt32(length))
    for position in 1..<length {
      guard Source.continues(raw[offset + position]) else { return nil }
      scalar = scalar << 6 | UInt32(raw[offset + position] & 0x3F)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
    guard scalar >= least, Unicode.Scalar(scalar) != nil else { return nil }
    return (scalar, length)
  }
}
