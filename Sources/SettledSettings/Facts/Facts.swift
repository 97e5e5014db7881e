public import SettledValues

/// What is true of the machine: `facts` in expressions and in the paths of layers.
public struct Facts: Sendable, Hashable {
  /// The name of the machine, up to the first dot.
  public var hostname: String
  /// The name with its domain, as far as the host name or `/etc/hosts` tell it.
  public var fqdn: String
  /// The number of processors that are online.
  public var cpus: Int
  /// The size of the memory in bytes.
  public var memory: Int64
  /// The operating system, such as `debian` (os-release(5), `ID`).
  public var osID: String
  /// Its version, such as `12`; empty where it has none (os-release(5), `VERSION_ID`).
  public var osVersion: String
  /// The machine's architecture, such as `x86_64` (uname(2)).
  public var arch: String

  /// Creates facts.
  public init(
    hostname: String, fqdn: String, cpus: Int, memory: Int64, osID: String, osVersion: String,
    arch: String
  ) {
    self.hostname = hostname
    self.fqdn = fqdn
    self.cpus = cpus
    self.memory = memory
    self.osID = osID
    self.osVersion = osVersion
    self.arch = arch
  }

  /// The facts as expressions see them.
  public var value: Value {
    [
      "hostname": .string(hostname), "fqdn": .string(fqdn), "cpus": .int(Int64(cpus)),
      "memory": .int(memory), "os_id": .string(osID), "os_version": .string(osVersion),
      "arch": .string(arch),
    ]
  }
}

extension Facts {
  /// Works the facts out from what the system says.
  public init(_ system: some FactSource) {
    let name = system.nodeName
    let hosts = Self.lines(system.text(of: "/etc/hosts"))
    let release = Self.assignments(
      system.text(of: "/etc/os-release") ?? system.text(of: "/usr/lib/os-release"))
    self.init(
      hostname: String(name.prefix { $0 != "." }),
      fqdn: name.contains(".") ? name : Self.canonicalName(of: name, in: hosts) ?? name,
      cpus: system.processors, memory: Self.memory(system.text(of: "/proc/meminfo")),
      osID: release["ID"] ?? "linux", osVersion: release["VERSION_ID"] ?? "",
      arch: system.machine)
  }

  /// The name with a domain on the line that has `name` (hosts(5)).
  private static func canonicalName(of name: String, in hosts: [Substring]) -> String? {
    for line in hosts {
      let names = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }.dropFirst()
      guard names.contains(where: { $0 == name }) else { continue }
      return names.first { $0.hasPrefix(name + ".") }.map(String.init)
    }
    return nil
  }

  /// `MemTotal` in bytes (proc_meminfo(5)).
  private static func memory(_ text: String?) -> Int64 {
    for line in lines(text) where line.hasPrefix("MemTotal:") {
      let number = line.split(separator: " ").dropFirst().first
      return (number.flatMap { Int64($0) } ?? 0) * 1024
    }
    return 0
  }

  /// The assignments of an os-release file, without quotes.
  private static func assignments(_ text: String?) -> [String: String] {
    var assignments: [String: String] = [:]
    for line in lines(text) {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      assignments[String(parts[0])] = parts[1].filter { $0 != "\"" && $0 != "'" }
    }
    return assignments
  }

  private static func lines(_ text: String?) -> [Substring] {
    text?.split(separator: "\n") ?? []
  }
}
