package import Glibc

/// The symbolic links that the kernel goes through on the way to a file (path_resolution(7)).
package struct LinkedPath {
  /// A link, and the user it belongs to.
  package struct Link {
    /// Where it is.
    package var path: String
    /// Who made it, or was given it.
    package var owner: uid_t
  }

  /// The number of links followed before it counts as a loop, the kernel's own limit.
  package static let linkLimit = 40

  /// The links, in the order they are gone through.
  package private(set) var links: [Link] = []
  /// Where they lead: a path without links, as far as there is something.
  package private(set) var end = ""

  /// Goes along a path, its last part included; what is not there is no link.
  package init(_ path: String) throws(SystemError) {
    var rest = Array(FilePaths.names(in: FilePaths.absolute(path)).reversed())
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        end = String(end[..<(end.utf8.lastIndex(of: UInt8(ascii: "/")) ?? end.startIndex)])
        continue
      }
      let next = end + "/" + name
      var status = stat()
      guard lstat(next, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
        end = next
        continue
      }
      links.append(Link(path: next, owner: status.st_uid))
      guard links.count <= Self.linkLimit else {
        throw SystemError("follow the links of", path, code: ELOOP)
      }
      let target = try Self.target(of: next)
      if FilePaths.isAbsolute(target) { end = "" }
      rest += FilePaths.names(in: target).reversed()
    }
  }

  /// What a link says (readlink(2)).
  package static func target(of link: String) throws(SystemError) -> String {
    var failure: CInt = 0
    let bytes = [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
      let count = buffer.baseAddress.map { readlink(link, $0, buffer.count) } ?? 0
      if count < 0 { failure = errno }
      filled = max(count, 0)
    }
    guard failure == 0 else { throw SystemError("read the link", link, code: failure) }
    return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
