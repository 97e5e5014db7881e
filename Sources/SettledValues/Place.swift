/// A position in a file.
public struct Place: Sendable, Hashable, CustomStringConvertible {
  /// The file, as messages show it.
  public var file: String
  /// The line, counted from 1; 0 where the file as a whole is meant.
  public var line: Int
  /// The column, counted from 1 in code points; 0 where the line as a whole is meant.
  public var column: Int

  /// Creates a position; without line and column it is the file as a whole.
  public init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The position as `file:line:column`, without the parts that are 0.
  public var description: String {
    if line == 0 { return file }
    return column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}
