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
