import Generations
import SettledSettings
import SettledValues
import SettledYAML

/// Limits that keep a document small, so that a slow one is a finding.
private var limits: YAMLLimits {
  var limits = YAMLLimits()
  limits.fileSize = 1 << 16
  return limits
}

private func read(_ bytes: some Sequence<UInt8>, as file: String) -> YAMLDocument? {
  try? YAMLDocument.read(Array(bytes), file: file, limits: limits)
}

private func settings(_ documents: [YAMLDocument]) -> Settings? {
  try? Settings(documents.map { Layer($0) })
}

/// Reads a settings file, and what is written of it, which must say the same.
@Sendable func readYAML(_ input: [UInt8]) {
  guard let document = read(input, as: "in.yaml"), let value = settings([document])?.value(),
    let text = try? Format.yaml.write(value)
  else { return }
  guard let again = read(text, as: "out.yaml") else {
    preconditionFailure("what was written cannot be read")
  }
  let second = settings([again])?.value() ?? .map([:])
  precondition((try? Format.yaml.write(second)) == text, "what was written says something else")
}

/// Merges layers; a layer that is there twice in a row must change nothing.
@Sendable func mergeLayers(_ input: [UInt8]) {
  let parts = input.split(separator: separator, maxSplits: 8)
  let documents = parts.enumerated().compactMap { read($1, as: "\($0).yaml") }
  guard let value = settings(documents)?.value() else { return }
  let twice = settings(documents.flatMap { [$0, $0] })?.value()
  precondition(
    twice.flatMap { try? Format.yaml.write($0) } == (try? Format.yaml.write(value)),
    "a layer that is there twice changes something")
}

/// Compiles a schema and holds a document against it: accepted, or violations with their words.
@Sendable func validate(_ input: [UInt8]) {
  let parts = input.split(separator: separator, maxSplits: 1)
  guard let first = parts.first, let source = read(first, as: "schema.yaml"),
    let schema = try? Schema(source)
  else { return }
  let document = parts.count > 1 ? read(parts[1], as: "in.yaml") : nil
  let value = document.flatMap { settings([$0])?.value() }
  let instance = value ?? Value.map(["a": 1, "b": ["x", 2.5, nil], "c": true])
  precondition(
    schema.accepts(instance) == schema.violations(of: instance).isEmpty,
    "accepted with violations, or refused without")
}

/// Reads a manifest: refused with diagnostics, or a manifest.
@Sendable func readManifest(_ input: [UInt8]) {
  guard let document = read(input, as: "settled.yaml") else { return }
  do {
    _ = try ManifestReader.read(document, path: "/etc/settled/settled.yaml")
  } catch {
    precondition(!error.diagnostics.isEmpty, "refused without a reason")
  }
}
