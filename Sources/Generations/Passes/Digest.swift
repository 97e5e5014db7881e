import SettledInputs
import SettledValues
import Targets

extension [UInt8] {
  /// A sum that tells contents apart; it is no protection against anybody.
  var digest: String { Checksum.text(Checksum.sum(self)) }

  /// The digest of a secret: without the identity of the machine, which is kept elsewhere
  /// (machine-id(5)), nothing can be tried against it.
  var secretDigest: String { Self.mark + Checksum.text(Checksum.sum(self, from: Self.machine)) }

  /// Whether a digest, of either kind, is that of these bytes.
  func hasDigest(_ digest: String) -> Bool {
    digest == (digest.hasPrefix(Self.mark) ? secretDigest : self.digest)
  }

  /// What the digest of a secret starts with.
  private static let mark = "secret:"

  /// The sum over the machine's identity; without one, what was applied last time is done again.
  private static let machine: UInt64 = {
    let identity = try? Descriptor("/etc/machine-id", 0, verb: "read").readAll(limit: 64)
    return Checksum.sum(identity ?? (0..<16).map { _ in .random(in: 0...255) })
  }()
}

extension Computed where Outcome == Value {
  /// The digest of the value's JSON text.
  var digest: String {
    guard let bytes = json else { return "" }
    return isSecret ? bytes.secretDigest : bytes.digest
  }

  /// Whether a digest is that of the value; what JSON cannot hold counts as changed each time.
  func hasDigest(_ digest: String?) -> Bool {
    guard let digest, let bytes = json else { return false }
    return bytes.hasDigest(digest)
  }

  private var json: [UInt8]? {
    var bytes: [UInt8] = []
    return (try? JSON.write(value, into: &bytes)) == nil ? nil : bytes
  }
}
