/// Applies what `diff -u` writes of one file to its old text; nil where it does not fit.
public func patched(_ old: String, by difference: String) -> String? {
  var rest = lines(of: old)[...]
  var new: [UInt8] = []
  var (taken, isHeader, last) = (0, true, UInt8(0))
  for line in lines(of: difference) {
    let text = line.dropFirst()
    switch line[0] {
    case UInt8(ascii: "@"):
      guard let start = start(of: line), start >= taken else { return nil }
      new += rest.prefix(start - taken).joined()
      rest = rest.dropFirst(start - taken)
      (taken, isHeader) = (start, false)
    case UInt8(ascii: "\\"):
      // The line above has no line break: what was taken for one is not there.
      if last != UInt8(ascii: "-") { new.removeLast() }
    case UInt8(ascii: "+") where !isHeader: new += text
    case UInt8(ascii: "-") where !isHeader, UInt8(ascii: " "):
      guard let known = rest.popFirst(), text.starts(with: known) else { return nil }
      if line[0] == UInt8(ascii: " ") { new += text }
      taken += 1
    default:
      guard isHeader else { return nil }
    }
    last = line[0]
  }
  return String(decoding: new + rest.joined(), as: UTF8.self)
}

/// The number of lines before a part, from its header `@@ -START,COUNT ...`.
private func start(of header: [UInt8]) -> Int? {
  let words = String(decoding: header, as: UTF8.self).split(separator: " ")
  let range = words.dropFirst().first?.dropFirst().split(separator: ",") ?? []
  guard let start = range.first.flatMap({ Int($0) }) else { return nil }
  return range.count == 2 && range[1] == "0" ? start : start - 1
}

/// The lines of a text, each with its line break.
private func lines(of text: String) -> [[UInt8]] {
  var lines: [[UInt8]] = []
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
    lines.append(Array(rest[..<end]))
    rest = rest[end...]
  }
  return lines
}
