import ScenarioFiles
import Simulator

/// The output of `simrun replay` and `simrun trace`.
enum ReplayText {
  /// The execution: whether it is the recorded one, what it violates, its timeline and its schedule.
  static func of(_ shown: ShownSchedule, width: Int = TwoColumns.width) -> String {
    let place = shown.result.process == .fresh ? "in a fresh process" : "in this process"
    return "\(shown.scenario.name) · \(shown.variant), \(place)\n"
      + shown.result.text(width: width, isRecorded: shown.isRecorded)
  }
}
