public import SettledValues

extension YAMLDocument {
  /// Reads a settings file: one document with a map at its top, or nothing.
  ///
  /// - Parameters:
  ///   - bytes: The file's content, UTF-8.
  ///   - file: The file as messages show it.
  ///   - limits: What the file may ask of the reader.
  ///   - isSecret: Whether messages may show nothing of the text.
  /// - Returns: The document, with its warnings.
  /// - Throws: All findings, where one of them is an error.
  public static func read(
    _ bytes: [UInt8], file: String, limits: YAMLLimits = YAMLLimits(), isSecret: Bool = false
  ) throws(Refusal) -> YAMLDocument {
    let source = Source(bytes, file: file, isSecret: isSecret)
    var findings = Findings(source: source, limit: limits.findings)
    guard checkSize(limits, &findings) else { throw Refusal(findings.sorted()) }
    let isASCII = Prescan.isASCII(&findings)
    guard !findings.hasErrors,
      !Directives.report(after: source.start, isFirst: true, &findings)
    else { throw Refusal(findings.sorted()) }
    var composer = Composer(findings, limits: limits, isASCII: isASCII)
    composer.compose()
    composer.finish()
    composer.checkRoot()
    if bytes.isEmpty { composer.findings.warn("the file is empty", at: Place(file: file)) }
    guard !composer.findings.hasErrors else { throw Refusal(composer.findings.sorted()) }
    return YAMLDocument(
      tree: composer.tree, source: source, warnings: composer.findings.sorted())
  }

  private static func checkSize(_ limits: YAMLLimits, _ findings: inout Findings) -> Bool {
    let size = findings.source.bytes.count
    let limit = min(limits.fileSize, YAMLLimits.addressable)
    guard size > limit else { return true }
    findings.add(
      "the file has \(size) bytes: the limit 'file_size' is \(limit)",
      at: Place(file: findings.source.file))
    return false
  }
}

extension Composer {
  /// Reads the source to its end, or to the first fault of its syntax.
  mutating func compose() {
    guard source.bytes.count > source.start else { return }
    source.bytes.withUnsafeBufferPointer { buffer in
      let text = UnsafeBufferPointer(rebasing: buffer[source.start...])
      guard let stream = EventStream(text) else {
        return findings.add("out of memory", at: Place(file: source.file))
      }
      while stream.next() {
        if !take(stream.event) { return }
      }
      SyntaxFault(stream.parser, source).report(&findings)
    }
  }

  /// Refuses anything but a map at the top.
  mutating func checkRoot() {
    guard !findings.hasErrors, tree.root != NodeRecord.none else { return }
    let root = tree.nodes[Int(tree.root)]
    let place = source.place(line: root.line, column: root.column)
    switch root.kind {
    case .map: break
    case .scalar where root.flags.contains(.isEmpty):
      tree = Tree()
    case .list: findings.add("the top level must be a map, not a list", at: place)
    case .scalar, .alias:
      let isGlued = source.bytes[source.offset(of: place)...].contains(UInt8(ascii: ":"))
      findings.add(
        "the top level must be a map, not text", at: place,
        hint: isGlued ? "is the space after a ':' missing?" : nil)
    }
  }
}
