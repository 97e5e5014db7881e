import Glibc

/// What a process was started with: its variables, as they were once.
public struct ProcessEnvironment: Sendable {
  /// The variables, by name and value.
  public var variables: [(name: String, value: [UInt8])]

  /// Creates an environment of these variables.
  public init(_ variables: [(name: String, value: [UInt8])]) {
    self.variables = variables
  }

  /// The environment of this process as it is now.
  public static var current: ProcessEnvironment {
    var variables: [(name: String, value: [UInt8])] = []
    var next = environ
    while let entry = next.pointee {
      let bytes = UnsafeBufferPointer(start: entry, count: strlen(entry)).map {
        UInt8(bitPattern: $0)
      }
      if let equals = bytes.firstIndex(of: UInt8(ascii: "=")),
        let name = String(validating: bytes[..<equals], as: UTF8.self)
      {
        variables.append((name, Array(bytes[(equals + 1)...])))
      }
      next += 1
    }
    return ProcessEnvironment(variables)
  }

  /// The directory in which systemd hands credentials over (systemd.exec(5), Credentials); nil where
  /// it handed none.
  ///
  /// - Parameter unit: the unit whose own directory is taken outside of it, where that can be read; nil
  ///   for none.
  /// - Returns: the directory.
  public func credentialsDirectory(ofUnit unit: String? = nil) -> String? {
    if let value = variables.first(where: { $0.name == "CREDENTIALS_DIRECTORY" })?.value {
      return value.isEmpty ? nil : String(validating: value, as: UTF8.self)
    }
    guard let unit else { return nil }
    let directory = "/run/credentials/" + unit
    return access(directory, R_OK | X_OK) == 0 ? directory : nil
  }
}
