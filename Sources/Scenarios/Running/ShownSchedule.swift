import ScenarioFiles
import Simulator

/// One schedule of a variant that was run to be shown.
struct ShownSchedule {
  let result: Explorer.ReplayResult
  let file: String
  let scenario: Scenario
  let variant: String
  /// Whether a token was given; otherwise it is the natural order, of which nothing was recorded.
  let isRecorded: Bool
}
