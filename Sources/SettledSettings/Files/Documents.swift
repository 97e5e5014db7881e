package import SettledInputs
package import SettledValues
package import SettledYAML
internal import Synchronization

/// Parsed documents, so that a file that did not change is not parsed again.
package final class Documents: Sendable {
  private struct Entry {
    var bytes: [UInt8]
    var limits: YAMLLimits
    var document: YAMLDocument
  }

  private struct Scalar {
    var bytes: [UInt8]
    var layer: Layer
  }

  private let known = Mutex<[Value: Entry]>([:])
  private let scalars = Mutex<[Value: [Value: Scalar]]>([:])

  package init() {}

  /// The document of a file.
  ///
  /// - Throws: what is wrong with it.
  package func document(
    of file: InputFile, limits: YAMLLimits = YAMLLimits()
  ) throws(Refusal) -> YAMLDocument {
    let key = Value.string(file.path)
    let entry = known.withLock { $0[key] }
    if let entry, entry.bytes == file.bytes, entry.limits == limits { return entry.document }
    let document = try YAMLDocument.read(file.bytes, file: file.shown, limits: limits)
    known.withLock { $0[key] = Entry(bytes: file.bytes, limits: limits, document: document) }
    return document
  }

  /// The layer that is one scalar at `keys`: a secret, or a variable.
  package func layer(
    of file: InputFile, text: [UInt8], at keys: [String], origin: String
  ) -> Layer {
    let key = Value.string(file.path)
    let place = Value.list(keys.map { .string($0) })
    let entry = scalars.withLock { $0[key]?[place] }
    if let entry, entry.bytes == file.bytes { return entry.layer }
    let document = YAMLDocument(
      scalar: text, isPlain: !file.isSecret, file: origin, isSecret: file.isSecret)
    let layer = Layer(document, at: keys)
    scalars.withLock { $0[key, default: [:]][place] = Scalar(bytes: file.bytes, layer: layer) }
    return layer
  }

  /// Forgets the documents of files that are not among `files`.
  package func keep(_ files: [InputFile]) {
    let paths = Set(files.map { Value.string($0.path) })
    known.withLock { known in known = known.filter { paths.contains($0.key) } }
    scalars.withLock { known in known = known.filter { paths.contains($0.key) } }
  }
}
