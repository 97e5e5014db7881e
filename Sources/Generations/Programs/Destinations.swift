import SettledInputs
import Targets

/// Where the destinations of targets lie.
public struct Destinations: Sendable, Hashable {
  /// The directory that relative destinations are relative to: the manifest's.
  public var base: String
  /// The directory that goes before every destination, nil for none.
  public var root: String?
  /// The directory where what is written into files waits: the daemon's own, of which no other user
  /// sees the names.
  public var staging: String
  /// The daemon's state directory, in which no target may have a file; nil where there is no daemon.
  public let reserved: String?

  /// Creates a rule for destinations.
  public init(base: String, root: String? = nil, staging: String? = nil) {
    self.base = base
    self.root = root
    self.staging = staging ?? base
    reserved = staging
  }

  /// The path on the disk of a destination as the manifest has it.
  func path(of destination: String) -> String {
    let path = FilePaths.resolve(destination, from: base)
    return root.map { FilePaths.normalize($0 + "/" + path) } ?? path
  }
}
