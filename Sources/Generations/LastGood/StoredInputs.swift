import Glibc
public import SettledInputs
import SettledValues
import Targets

/// The bytes of all inputs of a generation, and its number; of secrets only where they lie.
public struct StoredInputs: StoredFiles {
  /// The number of the generation.
  public var number: Int64
  private let files: [File]

  private struct File {
    var path: String
    /// Nil for a secret.
    var bytes: [UInt8]?
  }

  /// Takes the inputs of a generation.
  public init(number: Int64, _ inputs: InputSet) {
    self.number = number
    files = inputs.files.map { File(path: $0.path, bytes: $0.isSecret ? nil : $0.bytes) }
  }

  private init(number: Int64, files: [File]) {
    self.number = number
    self.files = files
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
  private static let version: Int64 = 1

  /// The text of a file: a line of JSON that names the inputs, then their bytes one after the other.
  func encoded() -> [UInt8] {
    let list = files.map { file -> Value in
      guard let bytes = file.bytes else { return ["path": .string(file.path), "secret": true] }
      return ["path": .string(file.path), "size": .int(Int64(bytes.count))]
    }
    let content = files.flatMap { $0.bytes ?? [] }
    let header: Value = [
      "version": .int(Self.version), "generation": .int(number), "inputs": .list(list),
      "check": .string(Self.check(number, list, content)),
    ]
    var bytes: [UInt8] = []
    // A map of strings and integers is always JSON.
    try? JSON.write(header, into: &bytes)
    return bytes + [UInt8(ascii: "\n")] + content
  }

  /// Reads such a text back; nil where it is not whole.
  init?(encoded bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let header = try? JSON.read(Array(bytes[..<end])), case .map(let map) = header,
      map["version"] == .int(Self.version), case .int(let number)? = map["generation"],
      case .list(let list)? = map["inputs"]
    else { return nil }
    let content = Array(bytes[(end + 1)...])
    guard map["check"] == .string(Self.check(number, list, content)) else { return nil }
    var files: [File] = []
    var start = 0
    for entry in list {
      guard case .map(let file) = entry, case .string(let path)? = file["path"] else { return nil }
      if file["secret"] == true {
        files.append(File(path: path))
        continue
      }
      guard case .int(let size)? = file["size"], size >= 0, start + Int(size) <= content.count
      else { return nil }
      files.append(File(path: path, bytes: Array(content[start..<start + Int(size)])))
      start += Int(size)
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
