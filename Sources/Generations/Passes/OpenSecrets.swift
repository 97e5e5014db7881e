import SettledInputs
import SettledSettings
import SettledValues

extension Settings {
  /// Tells of what a schema makes secret, and lies in a file that every user can read.
  func openSecrets(in inputs: InputSet) -> [Diagnostic] {
    secretPaths.compactMap { path in
      guard let place = place(at: path),
        let file = inputs.files.first(where: { $0.shown.hasSameBytes(as: place.file) }),
        !file.isSecret, file.isReadableByAll
      else { return nil }
      return Diagnostic(
        .warning, "every user can read '\(path)', which the schema makes secret", at: place,
        hint: "chmod o= \(file.path)")
    }
  }
}
