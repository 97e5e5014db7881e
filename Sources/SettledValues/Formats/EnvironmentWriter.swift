/// A writer of environment files: lines of `NAME=value`.
enum EnvironmentWriter {
  /// The lines for the entries of a map.
  static func text(of value: Value) throws(FormatError) -> String {
    var text = ""
    for (key, value) in try value.entries(for: "an environment file") where value != .null {
      do throws(FormatError) {
        guard Path.isIdentifier(key) else {
          throw FormatError("the name of a variable has only letters, digits and '_'")
        }
        let value = try value.requiredText(in: "a line of an environment file")
        text += "\(key)=\(try Quoting.environment(value))\n"
      } catch {
        throw error.below(.key(key))
      }
    }
    return text
  }
}
