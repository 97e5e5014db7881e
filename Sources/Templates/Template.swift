public import Expressions
public import SettledValues

/// A text with `{{ expressions }}` and `{% statements %}`, compiled once and rendered any number of
/// times.
///
/// The statements and the treatment of white space are those of Jinja2; the expressions are CEL.
public struct Template: Sendable {
  /// The free names it uses, those of included files too.
  public let names: [TemplateName]
  /// The files it includes, directly or through others.
  public let includes: [Include]
  private let source: TemplateSource
  private let blocks: [Block]
  private let slotCount: Int
  private let limits: TemplateLimits

  /// Reads a template.
  ///
  /// - Parameters:
  ///   - bytes: its text in UTF-8.
  ///   - file: what messages call it.
  ///   - options: how white space is treated.
  ///   - limits: how much it may cost.
  ///   - load: finds the file that an `{% include "name" %}` names.
  /// - Throws: an error with the file, line and column of what is wrong.
  public init(
    _ bytes: [UInt8], file: String, options: TemplateOptions = TemplateOptions(),
    limits: TemplateLimits = .default, load: ((String) throws -> IncludedFile)? = nil
  ) throws(TemplateError) {
    source = TemplateSource(bytes, file: file)
    var shared = TemplateParser.Shared(options: options, limits: limits, load: load)
    blocks = try TemplateParser.blocks(source, &shared)
    names = shared.names
    includes = shared.includes
    slotCount = shared.scope.slotCount
    self.limits = limits
  }

  /// Renders the template over what `lookup` finds, appending to `output`.
  ///
  /// - Parameters:
  ///   - lookup: what the free names stand for.
  ///   - output: where the bytes go; on an error it holds what was rendered up to there.
  ///   - readsSecret: tells whether a secret was read since it was last asked. It is asked after
  ///     every expression; without it, no part counts as secret.
  /// - Throws: an error with the file, line and column of what failed.
  /// - Returns: the parts of `output` that depend on a secret, through names and conditions too.
  @discardableResult
  public func render(
    _ lookup: any Lookup, into output: inout [UInt8], readsSecret: (() -> Bool)? = nil
  ) throws(TemplateError) -> SecretParts {
    var renderer = Renderer(
      lookup, slotCount: slotCount, limits: limits, start: output.count, readsSecret: readsSecret)
    try renderer.render(blocks, of: source, into: &output)
    return renderer.secrecy.parts
  }
}

/// A file that a template includes, as it was loaded.
public struct IncludedFile: Sendable, Hashable {
  /// What messages call it; a file that includes one of the same name again is an error.
  public var file: String
  /// Its text in UTF-8.
  public var bytes: [UInt8]

  /// Creates a loaded file.
  public init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
  }
}

/// An `{% include %}` in a template.
public struct Include: Sendable {
  /// The name as it is written.
  public let name: String
  let source: TemplateSource
  let offset: Int

  /// Where it stands.
  public var place: Place { source.place(offset) }
}

/// A free name that a template uses.
public struct TemplateName: Sendable {
  /// The name, and the path it leads to, with their ranges in the file.
  public let root: Root
  let source: TemplateSource

  /// Where it stands.
  public var place: Place { source.place(root.range.lowerBound) }

  /// The error that says what is wrong with the name, at its place.
  public func error(_ message: String, hint: String? = nil) -> TemplateError {
    source.error(message, at: root.range, hint: hint, kind: .evaluation)
  }
}
