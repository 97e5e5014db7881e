/// One piece of a pattern: what it matches in a name.
enum Piece: Sendable, Hashable {
  /// Exactly this character.
  case literal(Unicode.Scalar)
  /// Any one character.
  case one
  /// Any number of characters.
  case any
  /// One character that is, or is not, in one of these ranges.
  case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)

  /// Reads a pattern; a `[` that is never closed stands for itself (fnmatch(3)).
  static func read(_ pattern: Substring.UnicodeScalarView) -> [Piece] {
    var (pieces, rest) = ([Piece](), pattern[...])
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": if pieces.last != .any { pieces.append(.any) }
      case "?": pieces.append(.one)
      case "[":
        let set = readSet(&rest)
        pieces.append(set ?? .literal("["))
      default: pieces.append(.literal(scalar))
      }
    }
    return pieces
  }

  /// Reads what follows a `[`, up to its `]`; without one, `rest` is left as it was.
  private static func readSet(_ rest: inout Substring.UnicodeScalarView) -> Piece? {
    var scalars = rest
    let isNegated = scalars.first == "!" || scalars.first == "^"
    if isNegated { scalars.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = scalars.popFirst() {
      if scalar == "]", !ranges.isEmpty {
        rest = scalars
        return .set(ranges, isNegated: isNegated)
      }
      let upper = scalars.dropFirst().first
      if scalars.first == "-", let upper, upper != "]" {
        scalars.removeFirst(2)
        if scalar <= upper { ranges.append(scalar...upper) }
      } else {
        ranges.append(scalar...scalar)
      }
    }
    return nil
  }

  /// Tells whether the pieces match a whole name.
  ///
  /// Only the last `*` met is ever tried again, so the work is at most the product of the lengths.
  static func match(_ pieces: ArraySlice<Piece>, _ name: ArraySlice<Unicode.Scalar>) -> Bool {
    var (piece, position) = (pieces.startIndex, name.startIndex)
    var retry: (piece: Int, position: Int)?
    while position < name.endIndex {
      if piece < pieces.endIndex, pieces[piece] == .any {
        piece += 1
        retry = (piece, position)
      } else if piece < pieces.endIndex, pieces[piece].matches(name[position]) {
        (piece, position) = (piece + 1, position + 1)
      } else if let last = retry {
        retry = (last.piece, last.position + 1)
        (piece, position) = (last.piece, last.position + 1)
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .any }
  }

  private func matches(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .literal(let literal): scalar == literal
    case .one, .any: true
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
