import Glibc
import TestSupport
import Testing

/// More edits than a daemon can follow one by one: nobody starves, and the last state wins.
@Suite struct LoadTests {
  let shop: FaultShop

  init() throws {
    shop = try FaultShop()
    mkdir(shop.path("shop.d"), 0o755)
  }

  @Test func `five hundred drop-ins written in a loop, and removed, end in the last state`() throws
  {
    try shop.start()
    let names = (100..<600).map { "shop.d/\($0).yaml" }
    for (number, name) in names.enumerated() {
      try shop.folder.write("port: \(1000 + number)\n", to: name)
    }
    try shop.daemon?.wait { shop.out("port") == "1499\n" }
    for name in names { unlink(shop.path(name)) }
    try shop.daemon?.wait { shop.out("port") == "1\n" }
    #expect(try shop.settlectl(["wait"]).status == 0)
    #expect(!shop.log.contains("error"), "\(shop.log)")
  }

  /// What is done again and again while a test runs, as commands of the shell.
  private static let writers = [
    "exec 3>50.yaml; echo '{}' >&3; while :; do echo '# more' >&3; sleep 0.002; done",
    "n=0; while :; do n=$((n+1)); echo \"busy: $n\" > .new; mv .new 50.yaml; done",
    "n=0; while :; do n=$((n+1)); echo \"busy: $n\" > 50.yaml; done",
    "while :; do rm -f 50.yaml; echo '{}' > 50.yaml; done",
  ]

  @Test(arguments: writers)
  func `a writer that never stops keeps no other edit and no reload waiting`(writer: String) throws
  {
    try shop.start()
    let running = try RunningProgram(["sh", "-c", "cd '\(shop.path("shop.d"))'; \(writer)"])
    for port in 2..<4 {
      try shop.write(text: "b", port: port)
      try shop.daemon?.wait { shop.out("port") == "\(port)\n" }
      try shop.write(text: "c", port: port + 10)
      // A file that is caught half written is a fault, told at once to who asks.
      #expect(try shop.settlectl(["reload"]).status <= 1)
      try shop.daemon?.wait { shop.out("port") == "\(port + 10)\n" }
    }
    #expect(running.end(with: SIGKILL) == 128 + SIGKILL)
    try shop.folder.write("{}\n", to: "shop.d/50.yaml")
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(try shop.settlectl(["wait"]).status == 0)
  }
}
