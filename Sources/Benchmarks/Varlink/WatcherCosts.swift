import Dispatch
import Glibc
import SettledValues
import Synchronization
import Varlink

/// Prints what clients that watch cost a reload of the real daemon, which lies beside this program.
///
/// A reload is an edit of one of many settings and the call that waits for its verdict. The clients
/// come and go in turns within one run, so that what else the machine does meets all alike; each
/// reload begins when all have been told of the one before, and the daemon is at rest.
func printWatcherCosts(watchers: Int, rounds: Int) throws {
  raiseDescriptorLimit()
  takePrecedence()
  let daemon = try WatchedDaemon()
  var times: [[Double]] = WatcherKind.allCases.map { _ in [] }
  var processor = times
  let kinds = Array(WatcherKind.allCases.enumerated())
  for round in 0..<rounds {
    // Each comes first as often as the others.
    for turn in kinds.indices {
      let (position, kind) = kinds[(turn + round) % kinds.count]
      let crowd = try Crowd(of: kind == .none ? 0 : watchers, paths: kind.paths, at: daemon.socket)
      for _ in 0..<10 {
        daemon.awaitRest()
        let used = daemon.processorMilliseconds
        times[position].append(try daemon.reload())
        if kind.isTold { crowd.awaitAll() }
        daemon.awaitRest()
        processor[position].append(daemon.processorMilliseconds - used)
      }
    }
  }
  print("a reload with \(watchers) clients that watch, one of 2,000 settings edited, 50 targets")
  print(
    "\n| clients | reload, p50 ms | beside none | daemon's processor, p50 ms |\n|---|---:|---:|---:|"
  )
  let base = median(times[0])
  for (position, kind) in WatcherKind.allCases.enumerated() {
    let time = median(times[position])
    let share = kind == .none ? "" : "x \(rounded(time / base))"
    print(
      "| \(kind.rawValue) | \(rounded(time)) | \(share) | \(rounded(median(processor[position]))) |"
    )
  }
}

/// As many descriptors as the system lets this process and its children have.
private func raiseDescriptorLimit() {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = limit.rlim_max
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// Has this process and its children run before others, where that is permitted: a build beside it
/// would take more of the two cores than what is measured.
private func takePrecedence() {
  var parameters = sched_param(sched_priority: 1)
  _ = sched_setscheduler(0, SCHED_FIFO, &parameters)
}

private func write(_ text: String, to path: String) {
  guard let file = fopen(path, "we") else { return }
  fputs(text, file)
  fclose(file)
}

/// What the clients watch.
private enum WatcherKind: String, CaseIterable {
  case none
  case idle = "paths that do not change"
  case changed = "the path that changes"
  case everything = "everything"

  var paths: [String] {
    switch self {
    case .none, .everything: []
    case .idle: ["rest.key7", "rest.key8"]
    case .changed: ["value"]
    }
  }

  /// Whether they are told of each reload.
  var isTold: Bool { self == .changed || self == .everything }
}

/// The daemon on settings of its own.
private final class WatchedDaemon {
  let socket: String
  private let folder: String
  private var process: pid_t = 0
  private let client: Client
  private var value = 0
  private static let keys = 2_000
  private static let targets = 50

  init() throws {
    // In memory, where it can be: what the disk takes is no cost of watching, and would hide it.
    let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(place)/settled-watchers-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template))
    socket = folder + "/socket"
    let targets = (0..<Self.targets).map {
      "  t\($0): {file: out\($0), content: \"{{ \($0 == 0 ? "value" : "rest.key\($0)") }}\\n\"}\n"
    }
    write("layers: [shop.yaml]\ntargets:\n" + targets.joined(), to: folder + "/settled.yaml")
    write(Self.settings(0), to: folder + "/shop.yaml")
    process = Self.start(in: folder)
    var client: Client?
    for _ in 0..<500 where client == nil {
      usleep(10_000)
      client = try? Client(socket)
    }
    self.client = try client ?? Client(socket)
    _ = try self.client.call("io.settled.Wait")
  }

  deinit {
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
    _ = system("rm -rf '\(folder)'")
  }

  private static func settings(_ value: Int) -> String {
    "value: \(value)\nrest:\n" + (0..<keys).map { "  key\($0): text\($0)\n" }.joined()
  }

  /// Edits a setting and reloads; the milliseconds until the verdict.
  func reload() throws -> Double {
    value += 1
    write(Self.settings(value), to: folder + "/new")
    let start = ContinuousClock.now
    rename(folder + "/new", folder + "/shop.yaml")
    let reply = try client.call("io.settled.Reload")
    let time = (ContinuousClock.now - start) / .milliseconds(1)
    guard reply["outcome"] != "refused" else { throw Client.Fault.invalid("refused") }
    return time
  }

  /// Waits until it does nothing any more: remembers the pass, parts with clients that are gone.
  func awaitRest() {
    for _ in 0..<500 {
      let used = processorMilliseconds
      usleep(5_000)
      if processorMilliseconds - used < 0.02 { return }
    }
  }

  /// The processor time of all its threads.
  var processorMilliseconds: Double {
    var clock = clockid_t()
    guard clock_getcpuclockid(process, &clock) == 0 else { return 0 }
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  private static func start(in folder: String) -> pid_t {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = max(0, readlink("/proc/self/exe", &path, path.count - 1))
    let own = String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let program =
      own.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/settled"
    let arguments = [
      program, "--manifest", folder + "/settled.yaml", "--socket", folder + "/socket",
      "--state-directory", folder + "/state", "--root", folder + "/root", "--log-level", "error",
    ]
    let argv = arguments.map { strdup($0) } + [nil]
    defer { for pointer in argv { free(pointer) } }
    var process: pid_t = 0
    posix_spawn(&process, program, nil, nil, argv, environ)
    return process
  }
}

/// Clients that watch, and a thread that reads what they are told.
private final class Crowd {
  private let descriptors: [Int32]
  private let state: State
  private let ended = DispatchSemaphore(value: 0)

  /// How many events came to each, and whether they are to go.
  private final class State: Sendable {
    let isOver = Atomic(false)
    let told = Atomic(0)
  }

  init(of count: Int, paths: [String], at socket: String) throws {
    let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
    let parameters = paths.isEmpty ? "{}" : "{\"paths\":[\(list)]}"
    let call = "{\"method\":\"io.settled.Watch\",\"parameters\":\(parameters),\"more\":true}\0"
    descriptors = (0..<count).map { _ in Self.connect(to: socket) }
    for descriptor in descriptors {
      _ = call.withCString { send(descriptor, $0, call.utf8.count, 0) }
    }
    state = State()
    let (state, ended, all) = (state, ended, descriptors)
    DispatchQueue(label: "crowd").async {
      Self.read(all, state)
      ended.signal()
    }
    awaitAll()
  }

  deinit {
    state.isOver.store(true, ordering: .relaxed)
    ended.wait()
    for descriptor in descriptors { close(descriptor) }
  }

  /// Waits until each was told once more.
  func awaitAll() {
    while state.told.load(ordering: .acquiring) < descriptors.count { usleep(500) }
    state.told.store(0, ordering: .releasing)
  }

  private static func connect(to path: String) -> Int32 {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // The queue of connections may be full for a moment.
        while Glibc.connect(descriptor, address, size) != 0, errno == EAGAIN { usleep(1_000) }
      }
    }
    return descriptor
  }

  /// Reads a while after something came, so that the reading takes no more of the processor than it
  /// must, and nothing of it while nobody is told.
  private static func read(_ descriptors: [Int32], _ state: State) {
    var sources = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while !state.isOver.load(ordering: .relaxed) {
      guard poll(&sources, UInt(sources.count), 50) > 0 else { continue }
      usleep(2_000)
      guard poll(&sources, UInt(sources.count), 0) > 0 else { continue }
      for source in sources where source.revents != 0 {
        let count = recv(source.fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { continue }
        state.told.add(buffer[..<count].count { $0 == 0 }, ordering: .acquiringAndReleasing)
      }
    }
  }
}
