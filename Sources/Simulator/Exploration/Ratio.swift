extension Explorer {
  /// A count out of a total.
  public struct Ratio: Hashable, Sendable, CustomStringConvertible {
    /// The number that is counted.
    public let count: Int
    /// The number that it is out of; at least 1.
    public let total: Int

    package init(count: Int, total: Int) {
      self.count = count
      self.total = total
    }

    /// The ratio in percent, with one digit after the decimal point. It reads as none or as all only if it is exactly that.
    public var description: String {
      let thousandths = (count * 1_000 + total / 2) / total
      if count > 0, thousandths == 0 { return "below 0.1 %" }
      if count < total, thousandths == 1_000 { return "above 99.9 %" }
      return thousandths % 10 == 0 ? "\(thousandths / 10) %" : "\(thousandths / 10).\(thousandths % 10) %"
    }
  }
}

extension Int {
  /// The number with commas between thousands: `1,653`.
  package var grouped: String {
    let digits = Array(String(magnitude))
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}
