import Glibc
public import SettledValues

/// The inputs of one pass: what was read, and what was looked for.
///
/// It holds the whole watch set, also of a pass that was refused half-way.
public struct InputSet: Sendable {
  /// The size in bytes up to which an input is read where nothing says otherwise.
  public static let defaultSizeLimit = 1 << 20

  /// What to watch, in the order it was asked for.
  public private(set) var rules: [InputRule] = []
  /// Where each of them was asked for first.
  private var places: [InputRule: Place?] = [:]
  /// What was read, each file once.
  public private(set) var files: [InputFile] = []
  private var listings: [(glob: Glob, names: [String])] = []
  private var absent: [String] = []
  private var positions: [Value: Int] = [:]
  /// What the last pass read: a file that is still the same is not read again.
  private var known: [Value: InputFile] = [:]

  /// The directory that messages show paths relative to.
  public let base: String
  /// The size in bytes up to which an input is read.
  public var sizeLimit = InputSet.defaultSizeLimit
  /// What to do where an input is larger.
  package var sizeHint = "raise the limit, or split the file"
  /// The paths of secrets.
  private var secrets: Set<Value> = []
  /// Where the inputs are taken from, nil for the disk.
  private let stored: (any StoredFiles)?

  /// Creates an empty set after the pass that read `last`.
  ///
  /// - Parameters:
  ///   - base: the manifest's directory.
  ///   - last: what was read before; a file that is still the same is not read again.
  ///   - stored: where the inputs are taken from, nil for the disk.
  public init(base: String, after last: InputSet?, from stored: (any StoredFiles)? = nil) {
    self.base = base
    self.stored = stored
    for file in last?.files ?? [] { known[.string(file.path)] = file }
  }

  /// Reads a file that must be there.
  ///
  /// - Parameters:
  ///   - path: its absolute path.
  ///   - place: where something asks for it.
  ///   - missing: what to do where it is missing.
  ///   - name: what it is called where it cannot be read; without, its path from the base.
  /// - Returns: the file.
  /// - Throws: a diagnostic that names it.
  public mutating func read(
    _ path: String, askedAt place: Place? = nil, missing: String = "create it, or correct the path",
    named name: String? = nil
  ) throws(Refusal) -> InputFile {
    try read(path, askedAt: place, missing: missing, named: name, asSecret: false)
  }

  private mutating func read(
    _ path: String, askedAt place: Place?, missing: String, named name: String?, asSecret: Bool
  ) throws(Refusal) -> InputFile {
    add(.file(path), place)
    do {
      return try load(path, asSecret: asSecret)
    } catch {
      var fault = fault(error, path, place, named: name)
      if error.code == ENOENT {
        absent.append(path)
        fault.hint = missing
      }
      throw Refusal([fault])
    }
  }

  /// Reads a file that must be there, and of which nothing may be shown or stored.
  ///
  /// It is read from the disk even where other inputs come from what was stored.
  ///
  /// - Throws: a diagnostic that names it; one that it is another input as well.
  public mutating func readSecret(
    _ path: String, askedAt place: Place? = nil, missing: String
  ) throws(Refusal) -> InputFile {
    let key = Value.string(path)
    if let position = positions[key], !files[position].isSecret {
      throw Refusal([clash(path, place)])
    }
    secrets.insert(key)
    return try read(path, askedAt: place, missing: missing, named: nil, asSecret: true)
  }

  /// Takes the variables of the environment whose names start with `prefix` as inputs, in byte
  /// order; they stay as they are until the program ends.
  public mutating func readVariables(
    _ prefix: String, of environment: ProcessEnvironment
  ) -> [InputFile] {
    let start = Self.variable + prefix
    let found =
      if let stored {
        stored.names(startingWith: start).map {
          InputFile($0, constant: stored.bytes(of: $0) ?? [])
        }
      } else {
        environment.variables.filter { $0.name.utf8.starts(with: prefix.utf8) }
          .map { InputFile(Self.variable + $0.name, constant: $0.value) }
      }
    let sorted = found.sorted { $0.path.precedesByBytes($1.path) }
    for file in sorted where positions[.string(file.path)] == nil {
      positions[.string(file.path)] = files.count
      files.append(file)
    }
    return sorted
  }

  /// What is put before the name of a variable where it is told as an input.
  public static let variable = "environment:"

  /// Whether an input is secret.
  public var hasSecrets: Bool { files.contains(where: \.isSecret) }

  /// Reads a file that may be there; nil where it is not.
  public mutating func readOptional(
    _ path: String, askedAt place: Place? = nil
  ) throws(Refusal) -> InputFile? {
    add(.optional(path), place)
    do {
      return try load(path)
    } catch let error where error.code == ENOENT || error.code == ENOTDIR {
      absent.append(path)
      return nil
    } catch {
      throw Refusal([fault(error, path, place)])
    }
  }

  /// Reads all files that match, in byte order of their names.
  public mutating func read(
    _ glob: Glob, askedAt place: Place? = nil
  ) throws(Refusal) -> [InputFile] {
    add(.glob(glob), place)
    var found: [InputFile] = []
    var faults: [Diagnostic] = []
    do {
      let names = if let stored { stored.names(glob) } else { try glob.names() }
      listings.append((glob, names))
      for path in names.map(glob.path(of:)) {
        do { found.append(try load(path)) } catch { faults.append(fault(error, path, place)) }
      }
    } catch {
      faults.append(fault(error, glob.directory, place))
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    return found
  }

  /// Tells whether an input is no longer what was read, or one came or went.
  public func haveMoved() -> Bool {
    files.contains { !$0.isCurrent() }
      || absent.contains { FileIdentity.following($0) != nil }
      || listings.contains { (try? $0.glob.names()) != $0.names }
  }

  /// Whether a file is empty since so short a time that who emptied it may be about to write it.
  public var haveJustEmptied: Bool { files.contains { $0.isFresh && $0.bytes.isEmpty } }

  /// Tells whether another set holds the same files with the same bytes; what was not read again is
  /// not compared again either.
  public func isSame(as other: InputSet) -> Bool {
    absent == other.absent
      && files.elementsEqual(other.files) { left, right in
        left.path.hasSameBytes(as: right.path) && left.bytes == right.bytes
      }
  }

  /// The inputs, as messages show them, that came, went or have other bytes than in `other`.
  package func names(changedSince other: InputSet) -> [String] {
    let old = Dictionary(other.files.map { (Value.string($0.path), $0) }) { first, _ in first }
    let new = Set(files.map { Value.string($0.path) })
    return files.filter { old[.string($0.path)]?.bytes != $0.bytes }.map(\.shown)
      + other.files.filter { !new.contains(.string($0.path)) }.map(\.shown)
  }

  /// A number that tells these bytes from others.
  public var digest: Int {
    var hasher = Hasher()
    for file in files {
      hasher.combine(file.path)
      hasher.combine(file.bytes)
    }
    hasher.combine(absent)
    return hasher.finalize()
  }

  /// Where something asks for an input; nil where nothing names it, as the manifest.
  package func place(of rule: InputRule) -> Place? { places[rule] ?? nil }

  /// An input that was asked for, as messages show it.
  package func shown(_ rule: InputRule) -> String {
    switch rule {
    case .file(let path), .optional(let path): FilePaths.shown(path, from: base)
    case .glob(let glob): FilePaths.shown(glob.description, from: base)
    }
  }

  private mutating func add(_ rule: InputRule, _ place: Place?) {
    guard places.updateValue(places[rule] ?? place, forKey: rule) == nil else { return }
    rules.append(rule)
  }

  private mutating func load(
    _ path: String, asSecret: Bool = false
  ) throws(SystemError) -> InputFile {
    let key = Value.string(path)
    guard asSecret == secrets.contains(key) else {
      throw SystemError("take the secret", path, code: Self.clashCode)
    }
    if let position = positions[key] { return files[position] }
    var file: InputFile
    let shown = FilePaths.shown(path, from: base)
    if let stored, !asSecret {
      guard let bytes = stored.bytes(of: path) else {
        throw SystemError("read", path, code: ENOENT)
      }
      file = InputFile(path, shown: shown, stored: bytes)
    } else if let old = known[key], old.bytes.count <= sizeLimit, old.isCurrent() {
      file = old
    } else {
      file = try InputFile(path, shown: shown, limit: sizeLimit)
    }
    file.isSecret = asSecret
    positions[key] = files.count
    files.append(file)
    return file
  }

  private func fault(
    _ error: SystemError, _ path: String, _ place: Place?, named name: String? = nil
  ) -> Diagnostic {
    let shown = name ?? FilePaths.shown(path, from: base)
    if error.code == Self.clashCode { return clash(path, place) }
    let isTooLarge = error.code == EFBIG
    let reason =
      isTooLarge ? "it is larger than \(sizeLimit) bytes, the limit 'file_size'" : error.reason
    let hint = isTooLarge ? sizeHint : Self.hints[error.code]
    return Diagnostic(.error, "cannot \(error.verb) '\(shown)': \(reason)", at: place, hint: hint)
  }

  /// Stands for a file that is a secret and another input.
  private static let clashCode = ENOTUNIQ

  private func clash(_ path: String, _ place: Place?) -> Diagnostic {
    Diagnostic(
      .error, "'\(FilePaths.shown(path, from: base))' is a secret and another input", at: place,
      hint: "keep the secret in a file of its own")
  }

  private static let hints: [CInt: String] = [
    EACCES: "let the user that reads it have access: see chmod(1) and chown(1)",
    EPERM: "have the link belong to root, or to who owns the file: 'chown -h'",
    EISDIR: "name a file, or 'DIRECTORY/*.yaml' for the drop-ins of a directory",
  ]
}

/// Files that were kept, from which inputs are taken instead of from the disk.
public protocol StoredFiles: Sendable {
  /// The bytes of a file, or nil where it was not kept.
  func bytes(of path: String) -> [UInt8]?
  /// The names of the drop-ins of a directory that were kept.
  func names(_ glob: Glob) -> [String]
  /// The names of all inputs that were kept and start so.
  func names(startingWith prefix: String) -> [String]
}
