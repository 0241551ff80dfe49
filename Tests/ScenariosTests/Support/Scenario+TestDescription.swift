import Testing

@testable import ScenarioFiles

extension Scenario: CustomTestStringConvertible {
  public var testDescription: String { name }
}
