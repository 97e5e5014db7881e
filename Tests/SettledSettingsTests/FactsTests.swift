import SettledSettings
import SettledValues
import Testing

struct FactsTests {
  private struct Machine: FactSource {
    var nodeName = "web1"
    var machine = "x86_64"
    var processors = 4
    var files: [String: String] = [
      "/etc/hosts": "127.0.0.1 localhost\n127.0.1.1\tweb1.example.org web1 # me\n",
      "/etc/os-release": "NAME=\"Debian GNU/Linux\"\nID=debian\nVERSION_ID=\"12\"\n",
      "/proc/meminfo": "MemTotal:       16384 kB\nMemFree: 1 kB\n",
    ]

    func text(of file: String) -> String? { files[file] }
  }

  @Test func `facts are worked out from the system's files`() {
    #expect(
      Facts(Machine()).value == [
        "hostname": "web1", "fqdn": "web1.example.org", "cpus": 4, "memory": 16_777_216,
        "os_id": "debian", "os_version": "12", "arch": "x86_64",
      ])
  }

  @Test func `a host name with dots has its domain`() {
    let facts = Facts(Machine(nodeName: "web1.example.net"))
    #expect(facts.hostname == "web1")
    #expect(facts.fqdn == "web1.example.net")
  }

  @Test func `what the system does not tell has a value all the same`() {
    let facts = Facts(Machine(files: [:]))
    #expect(facts.fqdn == "web1")
    #expect(facts.osID == "linux")
    #expect(facts.memory == 0)
  }

  @Test func `the running system has facts`() {
    let facts = Facts(RunningSystem())
    #expect(!facts.hostname.isEmpty && !facts.arch.isEmpty)
    #expect(facts.cpus > 0 && facts.memory > 1 << 20)
  }
}
