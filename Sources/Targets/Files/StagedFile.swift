import CLinux
import Glibc
import SettledInputs

/// Writes the file that will take the place of a destination.
///
/// Owner, mode and extended attributes are set here, before the swap: no instant shows the new
/// content with the wrong rights.
enum StagedFile {
  /// Writes the file of `step` at `path`, which must be free.
  static func write(_ step: FileStep, at path: String, synchronize: Bool) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    let file = try Descriptor(path, flags, mode: 0o600, verb: "create")
    try file.writeAll(step.desired.bytes)
    if step.standing != nil { try copyAttributes(from: step.destination, to: file) }
    try file.setOwner(step.user, step.group, for: step.destination)
    guard fchmod(file.number, step.mode) == 0 else {
      throw SystemError("set the mode of", step.destination)
    }
    if synchronize { try file.synchronize() }
  }

  /// Waits until everything written to the file system that `directory` lies on is on the disk.
  static func synchronizeFileSystem(of directory: String) throws(SystemError) {
    let file = try Descriptor(directory, O_RDONLY | O_DIRECTORY, verb: "synchronize")
    guard syncfs(file.number) == 0 else { throw SystemError("synchronize", directory) }
  }

  /// Copies access control lists and other extended attributes (xattr(7)); file systems without
  /// them, and attributes that only the kernel may set, are passed over.
  private static func copyAttributes(
    from old: String, to new: borrowing Descriptor
  ) throws(SystemError) {
    // Most files have none: they need not be opened.
    guard llistxattr(old, nil, 0) != 0 else { return }
    let source = try Descriptor(old, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, verb: "read")
    let size = flistxattr(source.number, nil, 0)
    guard size > 0 else { return }
    var names = [CChar](repeating: 0, count: size)
    guard flistxattr(source.number, &names, size) == size else { return }
    for name in names.split(separator: 0) {
      let name = Array(name) + [0]
      let length = fgetxattr(source.number, name, nil, 0)
      guard length >= 0 else { continue }
      var value = [UInt8](repeating: 0, count: max(length, 1))
      guard fgetxattr(source.number, name, &value, length) == length else { continue }
      let result = fsetxattr(new.number, name, value, length, 0)
      guard result == 0 || [ENOTSUP, EPERM, EACCES].contains(errno) else {
        throw SystemError("copy the attributes of", old)
      }
    }
  }
}
