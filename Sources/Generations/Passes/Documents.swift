import SettledInputs
import SettledSettings
import SettledValues
import SettledYAML

/// Parsed documents, so that a file that did not change is not parsed again.
final class Documents {
  private struct Entry {
    var bytes: [UInt8]
    var limits: YAMLLimits
    var document: YAMLDocument
  }

  private struct Scalar {
    var bytes: [UInt8]
    var layer: Layer
  }

  private var known: [Value: Entry] = [:]
  private var scalars: [Value: [Value: Scalar]] = [:]

  /// The document of a file.
  ///
  /// - Throws: what is wrong with it.
  func document(
    of file: InputFile, limits: YAMLLimits = YAMLLimits()
  ) throws(Refusal) -> YAMLDocument {
    let key = Value.string(file.path)
    if let entry = known[key], entry.bytes == file.bytes, entry.limits == limits {
      return entry.document
    }
    let document = try YAMLDocument.read(file.bytes, file: file.shown, limits: limits)
    known[key] = Entry(bytes: file.bytes, limits: limits, document: document)
    return document
  }

  /// The layer that is one scalar at `keys`: a secret, or a variable.
  func layer(
    of file: InputFile, text: [UInt8], at keys: [String], origin: String
  ) -> Layer {
    let key = Value.string(file.path)
    let place = Value.list(keys.map { .string($0) })
    if let entry = scalars[key]?[place], entry.bytes == file.bytes { return entry.layer }
    let document = YAMLDocument(
      scalar: text, isPlain: !file.isSecret, file: origin, isSecret: file.isSecret)
    let layer = Layer(document, at: keys)
    scalars[key, default: [:]][place] = Scalar(bytes: file.bytes, layer: layer)
    return layer
  }

  /// Forgets the documents of files that are not among `files`.
  func keep(_ files: [InputFile]) {
    let paths = Set(files.map { Value.string($0.path) })
    known = known.filter { paths.contains($0.key) }
    scalars = scalars.filter { paths.contains($0.key) }
  }
}
