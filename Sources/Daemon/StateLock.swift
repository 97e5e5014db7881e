import Glibc
import SettledInputs
import Targets

/// The right to be the one daemon of a state directory, held until it goes out of scope.
///
/// The kernel lets go of it when the process ends, however it ends (flock(2)).
struct StateLock: ~Copyable {
  /// Another daemon holds the directory.
  struct Held: Error {
    /// The process that holds it, where it is known.
    var process: String?
  }

  private let file: Descriptor

  /// Takes the lock of `directory`.
  ///
  /// - Throws: ``Held``, or the `SystemError` that kept the file from being opened.
  init(directory: String) throws {
    let file = try Descriptor(directory + "/lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
      // One that took it this moment has not written its number yet.
      let holder = (try? file.readAll(limit: 32)) ?? []
      throw Held(process: holder.isEmpty ? nil : String(decoding: holder, as: UTF8.self))
    }
    ftruncate(file.number, 0)
    try file.writeAll(Array("\(getpid())".utf8))
    self.file = file
  }

  /// Gives the right up.
  consuming func release() {}
}
