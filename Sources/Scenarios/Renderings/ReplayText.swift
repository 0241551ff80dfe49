import Simulator

/// The output of `simrun replay`.
enum ReplayText {
  /// The execution: whether it is the recorded one, what it violates, its timeline and its schedule.
  static func of(
    _ result: Explorer.ReplayResult, _ scenario: String, _ variant: String, width: Int = TwoColumns.width
  ) -> String {
    let place = result.process == .fresh ? "in a fresh process" : "in this process"
    return "\(scenario) · \(variant), \(place)\n" + result.text(width: width)
  }
}
