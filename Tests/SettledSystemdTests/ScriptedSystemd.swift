import CSystemd
import Dispatch
import Glibc
import Synchronization
import Testing

/// Plays the message bus and PID 1 behind it, for one client at a time, over a real socket.
final class ScriptedSystemd: Sendable {
  /// The D-Bus address to give to the client.
  let address: String
  private let script: Mutex<Script>
  private let listener: Int32
  private let path: String

  /// What it knows and does.
  struct Script {
    var units: [String: [String: FakeProperty]] = [:]
    /// The unit that the client runs in.
    var own: String?
    /// The results of jobs, one a job, then `done`; `never` and `disconnect` are acts.
    var results: [String] = []
    /// What changes in the unit when a job for it ends.
    var afterJob: [String: FakeProperty] = [:]
    /// The jobs that a job waits for; a job with an entry does not end by itself.
    var jobsBefore: [UInt32: [UInt32]] = [:]
    /// The jobs that are there after a disconnect.
    var liveJobs: Set<UInt32> = []
    /// Errors by method.
    var errors: [String: String] = [:]
    /// Methods that get no answer.
    var silent: Set<String> = []
    var calls: [String] = []
    var nextJob: UInt32 = 100
  }

  init(_ script: Script) throws {
    let path = "/tmp/settled-bus-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    self.path = path
    address = "unix:path=\(path)"
    self.script = Mutex(script)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 4) == 0)
    let serving = DispatchQueue(label: "scripted-systemd")
    serving.async { [listener, weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        FakeConnection(connection)?.serve { call in self?.answer(call) ?? .hangUp }
      }
      close(listener)
    }
  }

  deinit {
    // The serving queue closes it: its number must not be given to another socket before.
    shutdown(listener, Int32(SHUT_RDWR))
    unlink(path)
  }

  /// What was asked so far, one `Method arguments` a call; reading of properties left out.
  var calls: [String] { script.withLock { $0.calls } }

  /// Changes what it knows.
  func change(_ change: (inout Script) -> Void) {
    script.withLock { change(&$0) }
  }

  private func answer(_ call: FakeCall) -> FakeAnswer {
    script.withLock { script in
      if call.member != "GetAll" && call.interface.hasPrefix("org.freedesktop.systemd1") {
        script.calls.append(([call.member] + call.arguments).joined(separator: " "))
      }
      if script.silent.contains(call.member) { return .silence }
      if let error = script.errors[call.member] { return .error(error) }
      switch call.member {
      case "Hello": return .text(":1.1")
      case "GetAll": return Self.properties(call, script)
      case "LoadUnit": return .path(Self.path(of: call.arguments[0]))
      case "GetUnitByPID":
        return script.own.map { .path(Self.path(of: $0)) }
          ?? .error("org.freedesktop.systemd1.NoUnitForPID")
      case "GetJobBefore":
        return .jobs(script.jobsBefore[UInt32(call.arguments[0]) ?? 0] ?? [])
      case "ReloadOrTryRestartUnit", "TryRestartUnit", "ReloadOrRestartUnit", "RestartUnit":
        return Self.job(call, &script)
      default: return .nothing
      }
    }
  }

  /// Dots are escaped in object paths, as systemd does it.
  private static func path(of unit: String) -> String {
    "/unit/" + unit.split(separator: ".").joined(separator: "_2e")
  }

  private static func properties(_ call: FakeCall, _ script: Script) -> FakeAnswer {
    let interface = call.arguments[0]
    if let number = call.path.split(separator: "/").last.flatMap({ UInt32($0) }) {
      guard script.liveJobs.contains(number) else {
        return .error("org.freedesktop.DBus.Error.UnknownObject")
      }
      return .properties(["Id": .number(number)])
    }
    guard let unit = script.units.first(where: { path(of: $0.key) == call.path })?.value else {
      return .properties(["LoadState": .text("not-found")])
    }
    let service: Set = ["Result", "ReloadResult", "NRestarts", "StatusText"]
    let isService = interface.hasSuffix(".Service")
    return .properties(unit.filter { service.contains($0.key) == isService })
  }

  private static func job(_ call: FakeCall, _ script: inout Script) -> FakeAnswer {
    let number = script.nextJob
    script.nextJob += 1
    let unit = call.arguments[0]
    let isFree = call.arguments[1] == "ignore-dependencies"
    if script.jobsBefore[number] != nil && !isFree { return .job(number, unit, nil) }
    let result = script.results.isEmpty ? "done" : script.results.removeFirst()
    for (name, value) in script.afterJob { script.units[unit]?[name] = value }
    switch result {
    case "never": return .job(number, unit, nil)
    case "disconnect": return .jobThenHangUp(number)
    default: return .job(number, unit, result)
    }
  }
}

/// The value of a property.
enum FakeProperty {
  case text(String)
  case number(UInt32)
  case flag(Bool)
  case texts([String])
  case bytes([UInt8])
  case job(UInt32)
}
