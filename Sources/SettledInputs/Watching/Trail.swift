import SettledValues

/// Where the trail of an input ended when it was last walked.
enum TrailEnd: Hashable {
  /// At a file, or whatever stands there.
  case found(FileIdentity)
  /// At a name that does not exist.
  case missing
  /// At a failure (errno(3)).
  case failed(CInt)
}

/// The way from `/` to an input: each directory, each link, and what it ends at.
struct Trail {
  /// The input's path as it was given, or the directory of a glob.
  let path: String
  /// The drop-ins to watch, where the trail leads to their directory.
  let glob: Glob?
  /// How many inputs and globs use it.
  var uses = 1
  /// The watches that tell of changes on the way.
  var holds: Set<WatchTable.Hold> = []
  /// Where it ended.
  var end = TrailEnd.missing
  /// Whether a file that was found there without an event of its own may still be written.
  var mayBeOpen = false
  /// The trails of a glob's members, by their paths.
  var members: [Value: Int] = [:]
  /// Why the directory of a glob could not be listed (errno(3)).
  var listFailure: CInt?
  /// Why a change on the way may not be told.
  var failure: SystemError?

  init(path: String, glob: Glob? = nil) {
    self.path = path
    self.glob = glob
  }
}
