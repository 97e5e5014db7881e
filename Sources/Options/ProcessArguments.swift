import Glibc

/// What this process was told to do.
public enum ProcessArguments {
  /// The arguments after the program's name.
  ///
  /// Swift looks for them beside the environment, and finds none where a library that was preloaded
  /// has moved that (`setenv` before `main`); without them a program would do something else than it
  /// was told to. Then the kernel is asked (proc(5), `cmdline`).
  public static var current: ArraySlice<String> {
    let known = CommandLine.arguments
    return known.isEmpty ? asKernelHasThem.dropFirst() : known.dropFirst()
  }

  private static var asKernelHasThem: [String] {
    guard let file = fopen("/proc/self/cmdline", "re") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 {
      bytes += piece[..<count]
    }
    // Each argument ends with a NUL, empty ones too.
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
