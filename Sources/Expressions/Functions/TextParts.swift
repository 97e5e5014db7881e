import SettledValues

// The functions that take a text apart or put one together.

@Sendable
func characterAt(
  _ text: Value, _ position: Value, _ frame: inout Frame
) throws(Failure) -> Value {
  guard case .string(let string) = text, case .int(let index) = position else {
    throw .overload("charAt", text, position)
  }
  try frame.charge(bytes: string.utf8.count)
  let start = try string.position(ofCodePoint: index)
  return .string(String(string.text(in: start..<string.utf8.count).unicodeScalars.prefix(1)))
}

/// Looks for `values[1]` in `values[0]` from or up to `values[2]`.
func search(
  _ name: String, _ values: [Value], _ frame: inout Frame,
  _ find: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, Int?) -> Int?
) throws(Failure) -> Value {
  guard case .string(let text) = values[0], case .string(let wanted) = values[1] else {
    throw .overload(name, values[0], values[1])
  }
  try frame.charge(bytes: text.utf8.count + wanted.utf8.count)
  var limit: Int?
  if values.count > 2 {
    guard case .int(let index) = values[2] else { throw .overload(name, values[2]) }
    limit = try text.position(ofCodePoint: index)
  }
  let found = text.withBytes { text in
    wanted.withBytes { wanted in
      find(text, wanted, limit).map { text.codePoints(before: $0) }
    }
  }
  return .int(Int64(found ?? -1))
}

@Sendable
func join(_ values: [Value], _ frame: inout Frame) throws(Failure) -> Value {
  guard case .list(let list) = values[0] else { throw .overload("join", values[0]) }
  var separator = ""
  if values.count > 1 {
    guard case .string(let text) = values[1] else { throw .overload("join", values[1]) }
    separator = text
  }
  var result = ""
  for (position, element) in list.enumerated() {
    guard case .string(let text) = element else {
      throw Failure(
        "'join' needs a list of strings, and element \(position) is \(element.typePhrase)")
    }
    try frame.charge(size: text.utf8.count + separator.utf8.count)
    try frame.charge(steps: 1)
    if position > 0 { result += separator }
    result += text
  }
  return .string(result)
}

@Sendable
func split(_ values: [Value], _ frame: inout Frame) throws(Failure) -> Value {
  guard case .string(let text) = values[0], case .string(let separator) = values[1] else {
    throw .overload("split", values[0], values[1])
  }
  guard let limit = values.count > 2 ? values[2].count : .max else {
    throw .overload("split", values[2])
  }
  try frame.charge(size: text.utf8.count)
  if limit == 0 { return .list([]) }
  if separator.isEmpty { return .list(try characters(of: text, limit: limit, &frame)) }
  let ranges = text.ranges(separatedBy: separator, limit: limit)
  try frame.charge(elements: ranges.count)
  try frame.charge(steps: ranges.count)
  return .list(ranges.map { .string(text.text(in: $0)) })
}

private func characters(
  of text: String, limit: Int, _ frame: inout Frame
) throws(Failure) -> [Value] {
  let scalars = text.unicodeScalars
  try frame.charge(elements: min(limit, text.utf8.count))
  var parts = scalars.prefix(limit - 1).map { Value.string(String($0)) }
  let rest = scalars.dropFirst(limit - 1)
  if !rest.isEmpty { parts.append(.string(String(rest))) }
  return parts
}

@Sendable
func replace(_ values: [Value], _ frame: inout Frame) throws(Failure) -> Value {
  guard case .string(let text) = values[0], case .string(let old) = values[1],
    case .string(let new) = values[2]
  else { throw .overload("replace", values[0], values[1], values[2]) }
  guard let limit = values.count > 3 ? values[3].count : .max else {
    throw .overload("replace", values[3])
  }
  try frame.charge(bytes: text.utf8.count)
  let pieces: [String]
  if old.isEmpty {
    pieces = gaps(in: text, limit: limit)
  } else {
    let ranges = text.ranges(separatedBy: old, limit: limit == .max ? limit : limit + 1)
    try frame.charge(steps: ranges.count)
    pieces = ranges.map(text.text(in:))
  }
  try frame.charge(size: text.utf8.count)
  let added = (pieces.count - 1).multipliedReportingOverflow(by: new.utf8.count)
  try frame.charge(size: added.overflow ? .max >> 1 : added.partialValue)
  return .string(pieces.joined(separator: new))
}

/// The pieces between the places where an empty text stands: before, between and after code points.
private func gaps(in text: String, limit: Int) -> [String] {
  let scalars = text.unicodeScalars
  if limit == 0 { return [text] }
  let single = scalars.prefix(limit - 1).map { String($0) }
  let rest = String(scalars.dropFirst(single.count))
  return [""] + single + (rest.isEmpty && limit > single.count + 1 ? [""] : [rest])
}

@Sendable
func substring(_ values: [Value], _ frame: inout Frame) throws(Failure) -> Value {
  guard case .string(let text) = values[0], case .int(let first) = values[1] else {
    throw .overload("substring", values[0], values[1])
  }
  try frame.charge(bytes: text.utf8.count)
  let start = try text.position(ofCodePoint: first)
  var end = text.utf8.count
  if values.count > 2 {
    guard case .int(let last) = values[2] else { throw .overload("substring", values[2]) }
    end = try text.position(ofCodePoint: last)
  }
  guard start <= end else { throw Failure("the end of 'substring' is before its start") }
  try frame.charge(size: end - start)
  return .string(text.text(in: start..<end))
}

extension Value {
  /// A limit: a negative one is none.
  fileprivate var count: Int? {
    guard case .int(let number) = self else { return nil }
    return number < 0 ? .max : Int(number)
  }
}

extension String {
  /// The byte position of a code point; the end counts as one.
  fileprivate func position(ofCodePoint index: Int64) throws(Failure) -> Int {
    guard index >= 0, index <= utf8.count,
      let position = withBytes({ $0.position(ofCodePoint: Int(index)) })
    else { throw Failure("the position \(index) is out of range").quoting }
    return position
  }
}
