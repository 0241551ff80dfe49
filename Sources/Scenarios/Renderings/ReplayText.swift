import Simulator

/// The output of `simrun replay` and `simrun trace`.
enum ReplayText {
  /// The execution: whether it is the recorded one, what it violates, its timeline and its schedule.
  static func of(_ result: Explorer.ReplayResult, _ request: ReplayRequest, width: Int = TwoColumns.width)
    -> String
  {
    let place = result.process == .fresh ? "in a fresh process" : "in this process"
    return "\(request.scenario.name) · \(request.variant), \(place)\n"
      + result.text(width: width, isRecorded: request.token != nil)
  }
}
