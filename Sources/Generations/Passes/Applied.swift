import Glibc
import SettledInputs
public import SettledValues
import Targets

/// What was last applied with success, and what is still to be done: it survives restarts.
public struct Applied: Sendable, Equatable {
  /// A file that settled wrote.
  struct File: Sendable, Equatable {
    var path: String
    /// The digest of the content.
    var digest: String
    /// The permission bits that were asked for, nil for none.
    var mode: Int64?
    /// The user that was asked for, nil for none.
    var user: Int64?
    /// The group that was asked for, nil for none.
    var group: Int64?

    init(path: String, digest: String) {
      self.path = path
      self.digest = digest
    }

    init(_ file: DesiredFile) {
      self.init(
        path: file.path, digest: file.isSecret ? file.bytes.secretDigest : file.bytes.digest)
      takeRights(of: file)
    }

    mutating func takeRights(of file: DesiredFile) {
      mode = file.mode.map { Int64($0) }
      user = file.owner?.user.map { Int64($0) }
      group = file.owner?.group.map { Int64($0) }
    }
  }

  /// The files, by the name of the instance.
  var files: [String: File] = [:]
  /// The digests of the values that instances follow, by name.
  var followed: [String: String] = [:]
  /// The instances whose actions failed, or were not reached.
  public internal(set) var pending: Set<String> = []
  /// What is to be done when a file of a target goes that the manifest may not have any more, by the
  /// name of the target.
  var actions: [String: [DueAction]] = [:]
  /// What is still to be done for instances that are wanted no more, by name.
  var due: [String: [DueAction]] = [:]

  /// Creates the state of a machine on which nothing was applied.
  public init() {}

  /// Creates the state in which everything is as it is wanted.
  init(_ wanted: [Wanted]) {
    for instance in wanted { take(instance) }
  }

  /// Creates the state in which everything is as it is wanted, from the one in which other things
  /// were: what is wanted as before is not digested again.
  init(_ wanted: [Wanted], after former: [Wanted], _ applied: Applied) {
    guard wanted.count == former.count,
      zip(wanted, former).allSatisfy({ $0.name.hasSameBytes(as: $1.name) })
    else {
      self.init(wanted)
      return
    }
    self.init()
    (files, followed) = (applied.files, applied.followed)
    for (instance, known) in zip(wanted, former) where instance != known {
      files[instance.name] = nil
      followed[instance.name] = nil
      take(instance)
    }
  }

  private mutating func take(_ instance: Wanted) {
    if let file = instance.file { files[instance.name] = File(file) }
    if let followed = instance.followed { self.followed[instance.name] = followed.digest }
  }
}

extension Applied {
  /// Whether an instance wants the file that was last applied for it, with the same rights.
  func holds(_ instance: Wanted) -> Bool {
    guard let file = instance.file, let applied = files[instance.name] else { return false }
    var wanted = File(path: file.path, digest: applied.digest)
    wanted.takeRights(of: file)
    return applied == wanted && file.bytes.hasDigest(applied.digest)
  }

  /// Whether what stands where the step of an instance goes is what settled wrote there.
  ///
  /// - Throws: why it cannot be read.
  func wrote(_ name: String, what step: FileStep) throws(SystemError) -> Bool {
    guard let file = files[name], let standing = step.standing else { return false }
    do {
      let bytes = try AtomicFile.read(step.destination, limit: Int(standing.identity.size))
      return bytes?.hasDigest(file.digest) == true
    } catch  where error.code == EFBIG {
      // It grew since it was looked at.
      return false
    }
  }

  /// The state as JSON holds it.
  public var value: Value {
    let files = self.files.keys.sorted().map { name in
      (key: Value.string(name), value: self.files[name]?.value ?? .null)
    }
    let followed = followed.sorted { $0.key < $1.key }.map {
      (key: Value.string($0.key), value: Value.string($0.value))
    }
    return [
      "version": 1, "files": .map(ValueMap(files)), "followed": .map(ValueMap(followed)),
      "pending": .list(pending.sorted().map { .string($0) }), "actions": Self.value(actions),
      "due": Self.value(due),
    ]
  }

  private static func value(_ actions: [String: [DueAction]]) -> Value {
    .map(
      ValueMap(
        actions.sorted { $0.key < $1.key }.map { name, actions in
          (key: Value.string(name), value: Value.list(actions.map(\.value)))
        }))
  }

  private static func actions(_ value: Value?) -> [String: [DueAction]] {
    guard case .map(let map)? = value else { return [:] }
    var actions: [String: [DueAction]] = [:]
    for case (.string(let name), .list(let list)) in zip(map.keys, map.values) {
      actions[name] = list.compactMap(DueAction.init)
    }
    return actions
  }

  /// Reads a state back; what is damaged counts as not applied.
  public init(_ value: Value) {
    guard case .map(let map) = value else { return }
    if case .map(let files)? = map["files"] {
      for (key, value) in zip(files.keys, files.values) {
        guard case .string(let name) = key, let file = File(value) else { continue }
        self.files[name] = file
      }
    }
    if case .map(let followed)? = map["followed"] {
      for case (.string(let name), .string(let digest)) in zip(followed.keys, followed.values) {
        self.followed[name] = digest
      }
    }
    actions = Self.actions(map["actions"])
    due = Self.actions(map["due"])
    if case .list(let pending)? = map["pending"] {
      for case .string(let name) in pending { self.pending.insert(name) }
    }
  }
}

extension Applied.File {
  fileprivate var value: Value {
    var value: ValueMap = ["path": .string(path), "digest": .string(digest)]
    if let mode { value["mode"] = .int(mode) }
    if let user { value["user"] = .int(user) }
    if let group { value["group"] = .int(group) }
    return .map(value)
  }

  fileprivate init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let path)? = map["path"],
      case .string(let digest)? = map["digest"]
    else { return nil }
    self.init(path: path, digest: digest)
    if case .int(let number)? = map["mode"] { mode = number }
    if case .int(let number)? = map["user"] { user = number }
    if case .int(let number)? = map["group"] { group = number }
  }
}
