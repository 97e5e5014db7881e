import Dispatch
import Glibc
import Observation
import SettledObserving
import SettledSettings
import SettledValues

/// Prints how long it takes from a write of a settings file to the observer of a property.
///
/// The clock starts when write(2) and close(2) have returned, and stops in the observer's handler.
func printLiveLatency(rounds: Int, leaves: Int) async throws {
  let path = "/tmp/settled-bench-\(getpid()).yaml"
  defer { unlink(path) }
  let rest = (0..<leaves).map { "  key\($0): {name: n\($0), pool: 4}\n" }.joined()
  try write("value: 0\nrest:\n" + rest, to: path)
  let told = DispatchSemaphore(value: 0)
  let model = await LiveModel()
  let live = try await LiveSettings(SettingsFiles([.file(path)]), in: model, takesHangUp: false)
  let token = await observe({ model.value }, initial: false) { _, _ in told.signal() }
  var times: [Double] = []
  for round in 1...rounds {
    let text = "value: \(round)\nrest:\n" + rest
    try write(text, to: path)
    let start = wallNanoseconds()
    wait(for: told)
    times.append((wallNanoseconds() - start) / 1e6)
    usleep(.random(in: 1_000...20_000))
  }
  token.cancel()
  withExtendedLifetime(live) {}
  times.sort()
  print(
    "\(leaves * 2 + 1) settings, \(rounds) edits: from the write to the observer "
      + "p50 \(rounded(times[rounds / 2])) ms, p95 \(rounded(times[rounds * 95 / 100])) ms, "
      + "most \(rounded(times[rounds - 1])) ms")
}

@Observable
private final class LiveModel: SettingsModel {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var value = 0

  static let ignoresUnknownSettings = true
  static let settings: [Setting<LiveModel>] = [Setting("value", \.value)]
}

/// A semaphore may not be waited for in a task; here nothing else is to run.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

private func write(_ text: String, to path: String) throws {
  guard let file = fopen(path, "we") else { return }
  fputs(text, file)
  fclose(file)
}

private func wallNanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
