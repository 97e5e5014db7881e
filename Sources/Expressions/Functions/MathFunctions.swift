import SettledValues

/// The functions over numbers (cel-go, `ext/README.md`, "Math").
let mathFunctions: [Function] =
  [
    Function(
      "math.greatest", .free, 1...Int.max, "math.greatest(a, b, ...), math.greatest(list)",
      "Gives the greatest of its numbers.", ["math.greatest(1, 3.5, 2u)": "3.5"],
      .variadic { values, frame throws(Failure) in
        try extreme("math.greatest", values, &frame) { $0 > 0 }
      }),
    Function(
      "math.least", .free, 1...Int.max, "math.least(a, b, ...), math.least(list)",
      "Gives the least of its numbers.", ["math.least([1, 3.5, 2u])": "1"],
      .variadic { values, frame throws(Failure) in
        try extreme("math.least", values, &frame) { $0 < 0 }
      }),
    Function(
      "math.abs", .free, 1...1, "math.abs(number)", "Gives the number without its sign.",
      ["math.abs(-2)": "2"], .unary(absolute)),
    Function(
      "math.sign", .free, 1...1, "math.sign(number)", "Gives -1, 0 or 1.",
      ["math.sign(-2.5)": "-1.0"], .unary(signOf)),
    Function(
      "math.sqrt", .free, 1...1, "math.sqrt(number) -> double", "Gives the square root.",
      ["math.sqrt(81)": "9.0"], .unary(squareRoot)),
    rounding("math.ceil", "Rounds up.", ["math.ceil(1.2)": "2.0"], .up),
    rounding("math.floor", "Rounds down.", ["math.floor(-1.2)": "-2.0"], .down),
    rounding(
      "math.round", "Rounds to the nearest whole number, halves away from zero.",
      ["math.round(-1.5)": "-2.0"], .toNearestOrAwayFromZero),
    rounding("math.trunc", "Cuts off the decimals.", ["math.trunc(-1.7)": "-1.0"], .towardZero),
    test("math.isNaN", "Tells whether it is not a number.", ["math.isNaN(0.0 / 0.0)": "true"]) {
      $0.isNaN
    },
    test("math.isInf", "Tells whether it is infinite.", ["math.isInf(1.0 / 0.0)": "true"]) {
      $0.isInfinite
    },
    test(
      "math.isFinite", "Tells whether it is neither infinite nor NaN.",
      ["math.isFinite(1.5)": "true"]
    ) { $0.isFinite },
  ] + bitFunctions

private let bitFunctions: [Function] = [
  bits("math.bitAnd", "Gives the bits set in both.", ["math.bitAnd(6, 3)": "2"], { $0 & $1 }),
  bits("math.bitOr", "Gives the bits set in either.", ["math.bitOr(6, 3)": "7"], { $0 | $1 }),
  bits("math.bitXor", "Gives the bits set in one only.", ["math.bitXor(6, 3)": "5"], { $0 ^ $1 }),
  Function(
    "math.bitNot", .free, 1...1, "math.bitNot(number)", "Gives the other bits.",
    ["math.bitNot(1)": "-2"],
    .unary { value, _ throws(Failure) in
      switch value {
      case .int(let number): return .int(~number)
      case .uint(let number): return .uint(~number)
      default: throw .overload("math.bitNot", value)
      }
    }),
  shift("math.bitShiftLeft", "Moves bits to the left.", ["math.bitShiftLeft(1, 4)": "16"]) {
    $0 << $1
  },
  shift("math.bitShiftRight", "Moves bits to the right.", ["math.bitShiftRight(16, 3)": "2"]) {
    $0 >> $1
  },
]

private func extreme(
  _ name: String, _ values: [Value], _ frame: inout Frame, _ isBetter: (Int) -> Bool
) throws(Failure) -> Value {
  var candidates = values
  if values.count == 1, case .list(let list) = values[0] { candidates = list }
  try frame.charge(steps: candidates.count)
  var best: (value: Value, number: Number)?
  for value in candidates {
    guard let number = Number(value) else { throw .overload(name, value) }
    if let held = best?.number, !isBetter(number.compared(to: held) ?? 0) { continue }
    best = (value, number)
  }
  guard let best else { throw Failure("'\(name)' needs at least one number") }
  return best.value
}

@Sendable
private func absolute(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .int(.min): throw Failure("the result is out of range")
  case .int(let number): return .int(abs(number))
  case .uint: return value
  case .double(let number): return .double(number.magnitude)
  default: throw .overload("math.abs", value)
  }
}

@Sendable
private func signOf(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .int(let number): return .int(number.signum())
  case .uint(let number): return .uint(number.signum())
  case .double(let number):
    return .double(number.isNaN ? number : number > 0 ? 1 : number < 0 ? -1 : 0)
  default: throw .overload("math.sign", value)
  }
}

@Sendable
private func squareRoot(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .int(let number): return .double(Double(number).squareRoot())
  case .uint(let number): return .double(Double(number).squareRoot())
  case .double(let number): return .double(number.squareRoot())
  default: throw .overload("math.sqrt", value)
  }
}

private func rounding(
  _ name: String, _ summary: String, _ examples: KeyValuePairs<String, String>,
  _ rule: FloatingPointRoundingRule
) -> Function {
  Function(
    name, .free, 1...1, "\(name)(double) -> double", summary, examples,
    .unary { value, _ throws(Failure) in
      guard case .double(let number) = value else { throw .overload(name, value) }
      return .double(number.rounded(rule))
    })
}

private func test(
  _ name: String, _ summary: String, _ examples: KeyValuePairs<String, String>,
  _ body: @escaping @Sendable (Double) -> Bool
) -> Function {
  Function(
    name, .free, 1...1, "\(name)(double) -> bool", summary, examples,
    .unary { value, _ throws(Failure) in
      guard case .double(let number) = value else { throw .overload(name, value) }
      return .bool(body(number))
    })
}

private func bits(
  _ name: String, _ summary: String, _ examples: KeyValuePairs<String, String>,
  _ body: @escaping @Sendable (UInt64, UInt64) -> UInt64
) -> Function {
  Function(
    name, .free, 2...2, "\(name)(a, b)", summary, examples,
    .binary { left, right, _ throws(Failure) in
      switch (left, right) {
      case (.int(let a), .int(let b)):
        return .int(Int64(bitPattern: body(UInt64(bitPattern: a), UInt64(bitPattern: b))))
      case (.uint(let a), .uint(let b)): return .uint(body(a, b))
      default: throw .overload(name, left, right)
      }
    })
}

/// Vacant bits are 0, and a shift by 64 or more leaves none.
private func shift(
  _ name: String, _ summary: String, _ examples: KeyValuePairs<String, String>,
  _ body: @escaping @Sendable (UInt64, Int64) -> UInt64
) -> Function {
  Function(
    name, .free, 2...2, "\(name)(number, count)", summary, examples,
    .binary { left, right, _ throws(Failure) in
      guard case .int(let count) = right else { throw .overload(name, left, right) }
      guard count >= 0 else { throw Failure("the count of '\(name)' is negative") }
      switch left {
      case .int(let number):
        return .int(Int64(bitPattern: body(UInt64(bitPattern: number), count)))
      case .uint(let number): return .uint(body(number, count))
      default: throw .overload(name, left, right)
      }
    })
}
