import Glibc
import SettledValues

extension FileStep {
  /// The step in one line, its reasons in another, and the difference it makes below it; nothing of a secret's content.
  public var text: String {
    let what =
      switch change {
      case .create: "create"
      case .replace: isInPlace ? "write into" : "replace"
      case .attributes: "change owner or mode of"
      case .remove: "remove"
      }
    let head = "\(desired.target): \(what) \(desired.path)\(rights)".printable + "\n" + reasons.line
    return change == .create || change == .replace ? head + difference : head
  }

  /// The owner and mode, where they change.
  private var rights: String {
    let changes = rightsChanges
    return changes.isEmpty ? "" : " (" + changes.joined(separator: ", ") + ")"
  }

  /// What becomes of the owner and mode, each where it changes.
  private var rightsChanges: [String] {
    var changes: [String] = []
    if let standing {
      if standing.mode != mode {
        changes.append("mode \(Self.octal(standing.mode)) -> \(Self.octal(mode))")
      }
      if (standing.user, standing.group) != (user, group) {
        changes.append("owner \(standing.user):\(standing.group) -> \(user):\(group)")
      }
    } else if change == .create {
      changes.append("mode \(Self.octal(mode))")
    }
    return changes
  }

  /// What happened to the file, where the step only brings back what was there.
  public var drift: Drift {
    switch change {
    case .create, .remove: .removed
    case .replace: .edited
    case .attributes: .rights(rightsChanges.joined(separator: ", "))
    }
  }

  private var difference: String {
    let mask = desired.isSecret ? desired.mask : nil
    if desired.isSecret, mask == nil { return "  (secret)\n" }
    let limit = UnifiedDiff.sizeLimit
    let read = standing == nil ? [] : try? AtomicFile.read(destination, limit: limit)
    guard let old = read ?? nil, desired.bytes.count <= limit else { return "  (large)\n" }
    guard let former = String(validating: old, as: UTF8.self),
      let wanted = String(validating: desired.bytes, as: UTF8.self)
    else { return "  (not text)\n" }
    return UnifiedDiff(from: former, to: wanted, mask: mask).text(
      from: standing == nil ? "/dev/null" : desired.path.printable, to: desired.path.printable)
  }

  private static func octal(_ mode: mode_t) -> String {
    "0" + String(mode, radix: 8)
  }
}

extension DesiredFile {
  /// The content with `(secret)` in the place of each part that depends on a secret; nil where such
  /// a part goes over lines, or is alone behind the last line break, so that the number of lines
  /// would tell of it.
  fileprivate var mask: String? {
    var masked: [UInt8] = []
    var end = 0
    for range in secretRanges {
      let isLastLine =
        range.upperBound == bytes.count
        && bytes[..<range.lowerBound].last.map { $0 == UInt8(ascii: "\n") } ?? true
      guard !isLastLine, !bytes[range].contains(UInt8(ascii: "\n")) else { return nil }
      masked += bytes[end..<range.lowerBound] + Array("(secret)".utf8)
      end = range.upperBound
    }
    return String(validating: masked + bytes[end...], as: UTF8.self)
  }
}
