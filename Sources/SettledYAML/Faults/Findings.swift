internal import SettledValues

/// What is found wrong or odd in one file while it is read.
struct Findings {
  let source: Source
  private let limit: Int
  private var errors: [Diagnostic] = []
  private(set) var warnings: [Diagnostic] = []
  private var dropped = 0

  init(source: Source, limit: Int) {
    self.source = source
    self.limit = max(limit, 1)
  }

  /// Whether the file is refused.
  var hasErrors: Bool { !errors.isEmpty }

  /// Whether there are so many errors that further ones are only counted.
  var isFull: Bool { errors.count >= limit }

  /// Adds an error, with the line it points at where that may be shown; the first of a place.
  mutating func add(
    _ message: String, at place: Place, length: Int = 1, hint: String? = nil,
    notes: [Diagnostic.Note] = []
  ) {
    guard !isFull else {
      dropped += 1
      return
    }
    guard !errors.contains(where: { $0.place == place }) else { return }
    errors.append(
      Diagnostic(
        .error, message, at: place, excerpt: source.excerpt(at: place, length: length),
        hint: hint, notes: notes))
  }

  /// Adds a warning.
  mutating func warn(_ message: String, at place: Place, length: Int = 1, hint: String? = nil) {
    guard warnings.count < limit else {
      dropped += 1
      return
    }
    warnings.append(
      Diagnostic(
        .warning, message, at: place, excerpt: source.excerpt(at: place, length: length),
        hint: hint))
  }

  /// All findings in the order of their places.
  func sorted() -> [Diagnostic] {
    var sorted = (errors + warnings).enumerated().sorted { left, right in
      let (first, second) = (left.element.place, right.element.place)
      let key = (first?.line ?? 0, first?.column ?? 0, left.offset)
      return key < (second?.line ?? 0, second?.column ?? 0, right.offset)
    }.map(\.element)
    if isFull || dropped > 0 {
      let message = "there may be more findings: the limit 'findings' is \(limit)"
      sorted.append(
        Diagnostic(hasErrors ? .error : .warning, message, at: Place(file: source.file)))
    }
    return sorted
  }
}
