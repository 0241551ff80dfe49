/// A scenario file in which everything has been checked.
struct ScenarioFile: Equatable, Sendable {
  /// The version of the format that this reads.
  static let version = 1

  /// As the file was named on the command line.
  let name: String
  /// In the order of the file; no two have the same name.
  let scenarios: [Scenario]
}
