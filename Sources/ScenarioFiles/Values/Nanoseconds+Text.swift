extension Nanoseconds {
  /// Reads `"5s"`, `"1.5s"`, `"250us"`: digits, perhaps a fraction, a unit, nothing else.
  package init(text: String) throws(ValueFault) {
    let isNegative = text.utf8.first == .minus
    let unsigned = text.utf8.dropFirst(isNegative ? 1 : 0)
    let number = unsigned.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { throw .notADuration(text) }
    let unit = try Self.unit(named: String(Substring(unsigned.dropFirst(number.count))), of: text)
    guard !isNegative else { throw .negative(text) }
    let fraction = try Self.fraction(parts.count == 2 ? parts[1] : "".utf8[...], of: unit, in: text)
    guard let whole = Int64(String(Substring(parts[0]))) else { throw .tooLong(text) }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: unit.nanoseconds)
    guard !overflow, scaled <= Self.longest.count - fraction else { throw .tooLong(text) }
    self.init(scaled + fraction)
  }

  private static func unit(named name: String, of text: String) throws(ValueFault) -> Unit {
    if let unit = Unit(rawValue: name) { return unit }
    guard !name.isEmpty else { throw .noUnit(text) }
    guard name.utf8.allSatisfy(\.isLetter) else { throw .notADuration(text) }
    throw .unknownUnit(text, unit: name)
  }

  /// The nanoseconds in the digits after the point, which must be whole.
  private static func fraction(
    _ digits: Substring.UTF8View, of unit: Unit, in text: String
  ) throws(ValueFault) -> Int64 {
    let zeros = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    let significant = digits.dropLast(zeros)
    // A day of nanoseconds is divisible by 2¹⁶ and no unit by more: a longer fraction is never whole.
    guard significant.count <= 16 else { throw .tooFine(text) }
    var numerator = Int128(unit.nanoseconds)
    numerator *= Int128(String(Substring(significant))) ?? 0
    let denominator = significant.reduce(Int128(1)) { power, _ in power * 10 }
    guard numerator.isMultiple(of: denominator) else { throw .tooFine(text) }
    return Int64(numerator / denominator)
  }
}
