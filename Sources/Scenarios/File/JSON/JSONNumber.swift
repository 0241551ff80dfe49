/// A number as written; no digit of it is lost to rounding.
struct JSONNumber: Equatable, Sendable {
  let literal: String

  /// The number, when it is written without fraction or exponent and `Integer` can hold it.
  func whole<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
    Integer(literal)
  }
}
