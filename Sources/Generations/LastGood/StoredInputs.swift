import Glibc
public import SettledInputs
import SettledValues
import Targets

/// The bytes of all inputs of a generation, and its number; of secrets only where they lie.
public struct StoredInputs: StoredFiles {
  /// Up to how many bytes all inputs are stored in one file.
  package static let wholeLimit = 64 << 10
  /// Up to how many bytes an input is stored with others where there are more of them.
  package static let smallLimit = 1 << 10

  /// The number of the generation.
  public var number: Int64
  private let files: [File]

  fileprivate struct File {
    var path: String
    /// Nil for a secret.
    var bytes: [UInt8]?
    /// The file of its own that holds the bytes, nil where they are stored with others.
    var part: Part?
  }

  fileprivate struct Part {
    var name: String
    /// The sum of the bytes.
    var check: String
  }

  /// Takes the inputs of a generation; what is stored of the one before it, and stays the same, is
  /// stored where it was.
  public init(number: Int64, _ inputs: InputSet, after former: StoredInputs? = nil) {
    self.number = number
    let size = inputs.files.reduce(0) { $0 + ($1.isSecret ? 0 : $1.bytes.count) }
    guard size > Self.wholeLimit else {
      files = inputs.files.map { File(path: $0.path, bytes: $0.isSecret ? nil : $0.bytes) }
      return
    }
    let formers = former?.files.filter { $0.part != nil } ?? []
    let known = Dictionary(formers.map { (Value.string($0.path), $0) }) { first, _ in first }
    files = inputs.files.enumerated().map { position, file in
      guard !file.isSecret else { return File(path: file.path) }
      var stored = File(path: file.path, bytes: file.bytes)
      guard file.bytes.count > Self.smallLimit else { return stored }
      if let former = known[.string(file.path)], former.bytes == file.bytes { return former }
      stored.part = Part(name: "\(number)-\(position)", check: file.bytes.digest)
      return stored
    }
  }

  private init(number: Int64, files: [File]) {
    self.number = number
    self.files = files
  }

  /// What is stored in files of its own, by their names.
  var parts: [(name: String, bytes: [UInt8])] {
    files.compactMap { file in file.part.map { ($0.name, file.bytes ?? []) } }
  }

  /// The bytes of a file, or nil where it was no input.
  public func bytes(of path: String) -> [UInt8]? {
    files.first { $0.path.hasSameBytes(as: path) }?.bytes
  }

  /// The names of the drop-ins of a directory that were inputs.
  public func names(_ glob: Glob) -> [String] {
    files.map(\.path).filter { FilePaths.directory(of: $0) == glob.directory }
      .map(FilePaths.name).filter(glob.takes)
  }

  /// The names of all inputs that start so.
  public func names(startingWith prefix: String) -> [String] {
    files.map(\.path).filter { $0.utf8.starts(with: prefix.utf8) }
  }

  /// Tells whether these are the inputs, to the byte; whether secrets changed is not known.
  func isSame(as inputs: InputSet) -> Bool {
    files.count == inputs.files.count
      && zip(files, inputs.files).allSatisfy { stored, read in
        stored.path.hasSameBytes(as: read.path)
          && stored.bytes == (read.isSecret ? nil : read.bytes)
      }
  }
}

extension StoredInputs {
  /// The version without parts, which is written where there are none, and the one with them.
  private static let versions: (whole: Int64, parted: Int64) = (1, 2)

  /// The text of the file that names the inputs: a line of JSON, then the bytes of those that have no
  /// file of their own, one after the other.
  func encoded() -> [UInt8] {
    let list = files.map { file -> Value in
      guard let bytes = file.bytes else { return ["path": .string(file.path), "secret": true] }
      var entry: ValueMap = ["path": .string(file.path), "size": .int(Int64(bytes.count))]
      if let part = file.part {
        entry["part"] = .string(part.name)
        entry["check"] = .string(part.check)
      }
      return .map(entry)
    }
    var content: [UInt8] = []
    for file in files where file.part == nil { content += file.bytes ?? [] }
    let version = parts.isEmpty ? Self.versions.whole : Self.versions.parted
    let header: Value = [
      "version": .int(version), "generation": .int(number), "inputs": .list(list),
      "check": .string(Self.check(number, list, content)),
    ]
    var bytes: [UInt8] = []
    // A map of strings and integers is always JSON.
    try? JSON.write(header, into: &bytes)
    return bytes + [UInt8(ascii: "\n")] + content
  }

  /// Reads such a text back, and the parts that it names; nil where not all of it is whole.
  init?(encoded bytes: [UInt8], part: (_ name: String) -> [UInt8]?) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let header = try? JSON.read(Array(bytes[..<end])), case .map(let map) = header,
      case .int(let version)? = map["version"],
      (Self.versions.whole...Self.versions.parted).contains(version),
      case .int(let number)? = map["generation"], case .list(let list)? = map["inputs"]
    else { return nil }
    let content = Array(bytes[(end + 1)...])
    guard map["check"] == .string(Self.check(number, list, content)) else { return nil }
    var files: [File] = []
    var start = 0
    for entry in list {
      guard case .map(let map) = entry,
        let file = File(map, from: &start, of: content, part: part)
      else { return nil }
      files.append(file)
    }
    guard start == content.count else { return nil }
    self.init(number: number, files: files)
  }

  /// A sum that differs whenever one byte does: it finds damage.
  private static func check(
    _ number: Int64, _ list: [Value], _ content: [UInt8]
  ) -> String {
    var names: [UInt8] = []
    try? JSON.write(.list([.int(number)] + list), into: &names)
    return (names + content).digest
  }
}

extension StoredInputs.File {
  /// Reads back one input, whose bytes are in `content` from `start` on, or in a part.
  fileprivate init?(
    _ map: ValueMap, from start: inout Int, of content: [UInt8], part: (String) -> [UInt8]?
  ) {
    guard case .string(let path)? = map["path"] else { return nil }
    self.path = path
    if map["secret"] == true { return }
    guard case .int(let size)? = map["size"], size >= 0 else { return nil }
    if case .string(let name)? = map["part"] {
      guard let bytes = part(name), bytes.count == Int(size),
        map["check"] == .string(bytes.digest)
      else { return nil }
      self.bytes = bytes
      self.part = StoredInputs.Part(name: name, check: bytes.digest)
      return
    }
    guard Int(size) <= content.count - start else { return nil }
    bytes = Array(content[start..<start + Int(size)])
    start += Int(size)
  }
}
