/// Settings files of any size, the same for the same number of leaves.
enum GeneratedSettings {
  /// A file with about `leaves` leaves: nested maps of five levels, integers, truth values, floats,
  /// text and lists, a comment here and there.
  static func file(leaves: Int) -> [UInt8] {
    var writer = Writer(leaves: leaves)
    return writer.write()
  }

  private struct Writer {
    private let leaves: Int
    private var written = 0
    private var text: [UInt8] = []
    private var state: UInt32 = 12_345

    init(leaves: Int) {
      self.leaves = leaves
      text.reserveCapacity(leaves * 40)
    }

    mutating func write() -> [UInt8] {
      var region = 0
      while written < leaves {
        line(0, "region_\(region):")
        for service in 0..<8 where written < leaves { writeService(service) }
        region += 1
      }
      return text
    }

    private mutating func writeService(_ service: Int) {
      line(1, "service_\(service):")
      line(2, "# one of the services of this region")
      for part in ["http", "database", "cache", "queue"] {
        line(2, "\(part):")
        for group in ["limits", "names"] {
          line(3, "\(group):")
          for key in 0..<5 { leaf(4, key) }
        }
      }
    }

    private mutating func leaf(_ depth: Int, _ key: Int) {
      state = state &* 1_664_525 &+ 1_013_904_223
      let number = Int(state >> 16)
      written += 1
      switch number % 6 {
      case 0: line(depth, "max_size_\(key): \(number)")
      case 1: line(depth, "enabled_\(key): \(number % 2 == 0)")
      case 2: line(depth, "ratio_\(key): \(number % 100).\(number % 10)5")
      case 3: line(depth, "name_\(key): worker-\(number)")
      case 4: line(depth, "path_\(key): \"/var/lib/shop/\(number)\"")
      default:
        line(depth, "tags_\(key): [a\(number % 10), b\(number % 7), c]")
        written += 2
      }
    }

    private mutating func line(_ depth: Int, _ content: String) {
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
      text.append(contentsOf: content.utf8)
      text.append(UInt8(ascii: "\n"))
    }
  }
}
