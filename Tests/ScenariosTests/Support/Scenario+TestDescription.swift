import Testing

@testable import Scenarios

extension Scenario: CustomTestStringConvertible {
  public var testDescription: String { name }
}
