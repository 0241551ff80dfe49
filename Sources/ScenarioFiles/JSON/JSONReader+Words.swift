extension JSONReader {
  /// Reads `true`, `false` or `null`.
  mutating func word() -> JSONNode {
    let start = offset
    let word = run { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    let value: JSONValue
    switch word {
    case "true": value = .bool(true)
    case "false": value = .bool(false)
    case "null": value = .null
    default:
      report(.unknownWord(word), at: start)
      value = .unreadable
    }
    return JSONNode(value: value, range: start..<max(offset, start))
  }

  /// Reads a number and keeps it as written.
  mutating func number() -> JSONNode {
    let start = offset
    let literal = run { $0.isDigit || $0.isLetter || "+-._".utf8.contains($0) }
    if let fault = Self.fault(inNumber: literal) {
      report(fault, at: start)
      return JSONNode(value: .unreadable, range: start..<offset)
    }
    return JSONNode(value: .number(JSONNumber(literal: literal)), range: start..<offset)
  }

  private mutating func run(while belongs: (UInt8) -> Bool) -> String {
    let start = offset
    while let byte = current, belongs(byte) { step() }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private static func fault(inNumber literal: String) -> JSONFault? {
    guard isNumber(literal.utf8) else { return .badNumber(literal) }
    return canBeHeld(literal) ? nil : .numberOutOfRange(literal)
  }

  /// The grammar of RFC 8259: minus, integer without leading zero, fraction, exponent.
  private static func isNumber(_ literal: String.UTF8View) -> Bool {
    var rest = literal[...]
    if rest.first == .minus { rest.removeFirst() }
    let whole = rest.prefix { $0.isDigit }
    guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
    rest.removeFirst(whole.count)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard dropDigits(&rest) else { return false }
    }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      rest.removeFirst()
      if let sign = rest.first, "+-".utf8.contains(sign) { rest.removeFirst() }
      guard dropDigits(&rest) else { return false }
    }
    return rest.isEmpty
  }

  private static func dropDigits(_ rest: inout Substring.UTF8View) -> Bool {
    let digits = rest.prefix { $0.isDigit }
    rest.removeFirst(digits.count)
    return !digits.isEmpty
  }

  private static func canBeHeld(_ literal: String) -> Bool {
    guard literal.utf8.count <= 400 else { return false }
    let isWhole = !literal.utf8.contains { ".eE".utf8.contains($0) }
    if isWhole { return Int64(literal) != nil || UInt64(literal) != nil }
    return Double(literal).map(\.isFinite) ?? false
  }
}
