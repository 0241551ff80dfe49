/// A value that a scenario gives to an argument, a setting or an invariant.
public enum ParameterValue: Hashable, Codable, Sendable {
  /// A text.
  case string(String)
  /// A whole number.
  case integer(Int)
  /// A length of virtual time.
  case duration(Nanoseconds)
  /// Yes or no.
  case bool(Bool)
}

extension ParameterValue {
  /// In the words of a report.
  package var shown: String {
    switch self {
    case .string(let text): text.isEmpty ? "\"\"" : text
    case .integer(let number): "\(number)"
    case .duration(let length): "\(length)"
    case .bool(let truth): "\(truth)"
    }
  }
}

/// The values that a parameter takes.
public enum ParameterKind: Hashable, Sendable {
  /// A text in quotes.
  case string
  /// A whole number within these bounds.
  case integer(ClosedRange<Int>)
  /// A length of virtual time such as `"5s"`.
  case duration
  /// `true` or `false`.
  case bool

  /// A whole number of any size.
  public static let integer = ParameterKind.integer(Int.min...Int.max)
}

extension ParameterKind {
  /// What a file may write, in words and with an example.
  package var allowed: String {
    switch self {
    case .string: "a text in quotes, such as \"42\""
    case .integer(Int.min...Int.max): "a whole number, such as 42"
    case .integer(let bounds): "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
    case .duration: "a duration such as \"5s\""
    case .bool: "true or false"
    }
  }

  /// Whether `value` is of this kind.
  func admits(_ value: ParameterValue) -> Bool {
    switch (self, value) {
    case (.string, .string), (.duration, .duration), (.bool, .bool): true
    case (.integer(let bounds), .integer(let number)): bounds.contains(number)
    default: false
    }
  }
}
