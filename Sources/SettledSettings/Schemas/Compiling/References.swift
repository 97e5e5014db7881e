internal import SettledValues
internal import SettledYAML

/// Leads references to the schemas they name.
extension SchemaCompiler {
  /// The node that the text of a `$ref` names; a finding where there is none.
  mutating func target(of node: YAMLNode) -> YAMLNode? {
    let text = node.text
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let (base, fragment) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    guard base.isEmpty || base == rootName else {
      faults.append(
        node.fault(
          "'$ref' names another document, '\(base)', and only this one is read",
          hint: "copy what it names below '$defs', and write '#/$defs/NAME'"))
      return nil
    }
    guard let fragment = fragment.percentDecoded else {
      faults.append(node.fault("the '%' in '$ref' has no two digits behind it"))
      return nil
    }
    if fragment.isEmpty { return root }
    if fragment.startsWithBytes("/") { return target(at: fragment, node) }
    if let named = anchors[.string(fragment)] { return named }
    let names = anchors.keys.compactMap { if case .string(let name) = $0 { name } else { nil } }
    let meant = fragment.closest(among: names.sorted())
    faults.append(
      node.fault(
        "no schema has the anchor '\(fragment)'", hint: meant.map { "did you mean '#\($0)'?" }))
    return nil
  }

  private var rootName: String? {
    root["$id"].map { $0.text.hasSuffix("#") ? String($0.text.dropLast()) : $0.text }
  }

  /// Follows a JSON Pointer (RFC 6901) from the root.
  private mutating func target(at pointer: String, _ node: YAMLNode) -> YAMLNode? {
    var target = root
    for token in pointer.parts(between: "/", keepingEmpty: true).dropFirst() {
      let name = String(token).replacingBytes(of: "~1", with: "/").replacingBytes(
        of: "~0", with: "~")
      let child =
        target.kind == .list ? Int(name).flatMap { target.elements[at: $0] } : target[name]
      guard let child else {
        let meant = name.closest(among: target.entries.map(\.key))
        faults.append(
          node.fault(
            "'$ref' leads nowhere: there is no '\(name)'",
            hint: meant.map { "did you mean '\($0)'?" }))
        return nil
      }
      target = child
    }
    return target
  }
}

extension Array {
  fileprivate subscript(at position: Int) -> Element? {
    indices.contains(position) ? self[position] : nil
  }
}

extension String {
  /// The text with `%41` read as `A`; nil where digits are missing.
  fileprivate var percentDecoded: String? {
    guard utf8.contains(UInt8(ascii: "%")) else { return self }
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
