/// An error in a time as text.
package enum ValueFault: Error, Equatable, Sendable {
  case notADuration(String)
  case noUnit(String)
  case unknownUnit(String, unit: String)
  case negative(String)
  case tooLong(String)
  case tooFine(String)
  case lowAboveHigh(String)
  case rangeNotAllowed(String)
  case anytimeNotAllowed
}

extension ValueFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notADuration(let text):
      "found \(Echo.quoted(text)); a duration is a number and a unit, such as \"5s\", \"50ms\" or \"1.5s\""
    case .noUnit(let text):
      "\(Echo.quoted(text)) has no unit; allowed: \(Echo.list(Nanoseconds.Unit.names)), as in \"5s\""
    case .unknownUnit(let text, let unit):
      "\(Echo.quoted(text)) has the unknown unit \(Echo.quoted(unit)); allowed: \(Echo.list(Nanoseconds.Unit.names))"
    case .negative(let text): "\(Echo.quoted(text)) is negative; time only goes forward from \"0s\""
    case .tooLong(let text): "\(Echo.quoted(text)) is too long; allowed: up to \"\(Nanoseconds.longest)\""
    case .tooFine(let text): "\(Echo.quoted(text)) is no whole number of nanoseconds; \"1ns\" is the shortest"
    case .lowAboveHigh(let text):
      "the range \(Echo.quoted(text)) ends before it begins; write the lower end first"
    case .rangeNotAllowed(let text):
      "found the range \(Echo.quoted(text)); one fixed duration is needed here, such as \"5s\""
    case .anytimeNotAllowed:
      "found \"anytime\"; only \"at\" in a script line can be any time, here a duration is needed"
    }
  }
}
