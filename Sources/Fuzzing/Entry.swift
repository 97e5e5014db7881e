import Glibc

/// The entry of libFuzzer (https://llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ input: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The reader of this run.
private let reader: Reader = {
  let name = getenv("SETTLED_READER").map { String(cString: $0) } ?? ""
  guard let reader = readers.first(where: { $0.name == name }) else {
    let names = readers.map(\.name).joined(separator: ", ")
    fatalError("SETTLED_READER must be one of \(names)")
  }
  return reader
}()

/// The program's main, under the name that the package manager links it by.
@_cdecl("settled_fuzz_main")
func start(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments) { start, count in
    reader.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  }
}
