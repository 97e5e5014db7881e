public import SettledValues
import Targets

/// What was last applied with success, and what is still to be done: it survives restarts.
public struct Applied: Sendable, Equatable {
  /// A file that settled wrote.
  struct File: Sendable, Equatable {
    var path: String
    /// The digest of the content.
    var digest: String
  }

  /// The files, by the name of the instance.
  var files: [String: File] = [:]
  /// The digests of the values that instances follow, by name.
  var followed: [String: String] = [:]
  /// The instances whose actions failed, or were not reached.
  var pending: Set<String> = []

  /// Creates the state of a machine on which nothing was applied.
  public init() {}

  /// Creates the state in which everything is as it is wanted.
  init(_ wanted: [Wanted]) {
    for instance in wanted {
      if let file = instance.file {
        files[instance.name] = File(
          path: file.path, digest: file.isSecret ? file.bytes.secretDigest : file.bytes.digest)
      }
      if let followed = instance.followed { self.followed[instance.name] = followed.digest }
    }
  }
}

extension Applied {
  /// The state as JSON holds it.
  public var value: Value {
    let files = files.sorted { $0.key < $1.key }.map { name, file in
      (
        key: Value.string(name),
        value: ["path": .string(file.path), "digest": .string(file.digest)] as Value
      )
    }
    let followed = followed.sorted { $0.key < $1.key }.map {
      (key: Value.string($0.key), value: Value.string($0.value))
    }
    return [
      "version": 1, "files": .map(ValueMap(files)), "followed": .map(ValueMap(followed)),
      "pending": .list(pending.sorted().map { .string($0) }),
    ]
  }

  /// Reads a state back; what is damaged counts as not applied.
  public init(_ value: Value) {
    guard case .map(let map) = value else { return }
    if case .map(let files)? = map["files"] {
      for (key, value) in zip(files.keys, files.values) {
        guard case .string(let name) = key, case .map(let file) = value,
          case .string(let path)? = file["path"], case .string(let digest)? = file["digest"]
        else { continue }
        self.files[name] = File(path: path, digest: digest)
      }
    }
    if case .map(let followed)? = map["followed"] {
      for case (.string(let name), .string(let digest)) in zip(followed.keys, followed.values) {
        self.followed[name] = digest
      }
    }
    if case .list(let pending)? = map["pending"] {
      for case .string(let name) in pending { self.pending.insert(name) }
    }
  }
}
