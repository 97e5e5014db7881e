import Glibc

/// The median of `repeats` measurements of `body`, in nanoseconds of processor time for each of
/// `count` turns; processor time, since other things run on the machine.
func nanoseconds(count: Int, repeats: Int = 5, _ body: () -> Void) -> Double {
  var times: [Double] = []
  for _ in 0..<repeats {
    let start = processorNanoseconds()
    body()
    times.append((processorNanoseconds() - start) / Double(count))
  }
  return median(times)
}

/// The number in the middle.
func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

/// The processor time that this process has used.
func processorNanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The resident memory of this process, in bytes.
func residentBytes() -> Double {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  guard fgets(&line, 256, file) != nil else { return 0 }
  let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    .split(separator: " ")
  return Double(fields[1]).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
}

/// A number for people: three digits.
func rounded(_ number: Double) -> String {
  let digits = abs(number) >= 100 ? 0 : abs(number) >= 10 ? 1 : 2
  let factor = [1.0, 10, 100][digits]
  let whole = Int((number * factor).rounded())
  guard digits > 0 else { return "\(whole)" }
  let fraction = "\(abs(whole) % Int(factor))"
  let zeros = String(repeating: "0", count: digits - fraction.count)
  return "\(whole < 0 ? "-" : "")\(abs(whole) / Int(factor)).\(zeros)\(fraction)"
}
