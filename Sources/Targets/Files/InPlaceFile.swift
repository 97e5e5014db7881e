import Glibc
import SettledInputs

/// Writes into a file that cannot be renamed over, such as a mount point.
///
/// A copy of the old bytes is on the disk before the first one is overwritten, so that a failure
/// and a crash can be undone. What cannot be promised: who reads meanwhile may see a part of the new
/// bytes and a part of the old ones.
enum InPlaceFile {
  /// The size in bytes up to which a file is written into: a copy of it is kept meanwhile.
  static let sizeLimit = 16 << 20

  /// The inode and the rights of a file that is written into, for who puts it back.
  struct Origin: Sendable, Hashable {
    var inode: UInt64
    var mode: mode_t
    var user: uid_t
    var group: gid_t
  }

  /// Writes the bytes and the rights of `step` into its destination.
  ///
  /// - Throws: the failure, or `ESTALE` where the destination is not what was planned for.
  static func write(_ step: FileStep) throws(SystemError) {
    let file = try Descriptor(step.destination, O_RDWR | O_NOFOLLOW, verb: "write into")
    try check(file, step.standing)
    let old = try file.readAll(limit: sizeLimit)
    try AtomicFile.write(old, to: step.former)
    do throws(SystemError) {
      try check(file, step.standing)
    } catch {
      try AtomicFile.remove(step.former)
      throw error
    }
    let standing = step.standing?.mode ?? step.mode
    // While old and new bytes are mixed, nobody reads them who may not read both.
    if step.mode != standing { try file.setMode(step.mode & standing) }
    if step.change == .replace { try file.replaceAll(of: old.count, with: step.desired.bytes) }
    try file.setOwner(step.user, step.group, for: step.destination)
    try file.setMode(step.mode)
    try file.synchronize()
  }

  /// Writes the old bytes and rights back, where a copy tells that anything was written.
  ///
  /// Where another file stands there by now, that one is left alone, and the copy kept among the
  /// edited files.
  static func putBack(
    _ origin: Origin, at destination: String, from copy: String
  ) throws(SystemError) {
    AtomicFile.clearUnfinished(copy)
    guard let old = try AtomicFile.read(copy, limit: sizeLimit) else { return }
    if FileIdentity.look(at: destination)?.inode == origin.inode {
      let file = try Descriptor(destination, O_RDWR | O_NOFOLLOW, verb: "put back")
      let found = try file.readAll(limit: .max)
      if found != old { try file.replaceAll(of: found.count, with: old) }
      try file.setOwner(origin.user, origin.group, for: destination)
      try file.setMode(origin.mode)
      try file.synchronize()
    } else {
      let edited = EditedFiles(stateDirectory: FilePaths.directory(of: copy))
      try edited.keep(copy, of: destination)
    }
    try AtomicFile.remove(copy)
  }

  private static func check(
    _ file: borrowing Descriptor, _ standing: Standing?
  ) throws(SystemError) {
    guard FileIdentity(try file.status()) == standing?.identity else {
      throw SystemError("write into", file.path, code: ESTALE)
    }
  }
}

extension Standing {
  /// What is told of it to who puts it back after it was written into.
  var origin: InPlaceFile.Origin {
    InPlaceFile.Origin(inode: identity.inode, mode: mode, user: user, group: group)
  }
}

extension Descriptor {
  /// Overwrites all of a file that has `size` bytes; its inode stays.
  ///
  /// Room for what is longer is made first: a full disk is told before anything is overwritten.
  fileprivate func replaceAll(of size: Int, with bytes: [UInt8]) throws(SystemError) {
    if bytes.count > size,
      SystemCalls.reserve(bytes.count, for: number) != 0,
      ![EOPNOTSUPP, ENOSYS, EINVAL].contains(errno)
    {
      throw SystemError("write into", path)
    }
    guard lseek(number, 0, SEEK_SET) == 0 else { throw SystemError("write into", path) }
    try writeAll(bytes)
    guard bytes.count >= size || ftruncate(number, off_t(bytes.count)) == 0 else {
      throw SystemError("write into", path)
    }
  }

  /// Gives the file that is for `destination` its owner where it has another one: without root not
  /// even asking is allowed by a sandbox (systemd.exec(5), `@privileged`).
  func setOwner(
    _ user: uid_t, _ group: gid_t, for destination: String
  ) throws(SystemError) {
    let status = try status()
    guard (status.st_uid, status.st_gid) != (user, group) else { return }
    guard fchown(number, user, group) == 0 else {
      throw SystemError("give the owner to", destination)
    }
  }

  fileprivate func setMode(_ mode: mode_t) throws(SystemError) {
    guard try status().st_mode & 0o7777 != mode else { return }
    guard fchmod(number, mode) == 0 else { throw SystemError("set the mode of", path) }
  }
}
