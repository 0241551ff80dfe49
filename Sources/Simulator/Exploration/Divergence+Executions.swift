internal import SimulatorCore
internal import SimulatorKernel

extension Explorer.Divergence {
  /// Describes where two executions of one schedule diverge, as far as what was kept of them shows. `again` is a third
  /// execution, which shows if only the first was different.
  static func between(
    _ first: Simulation.Execution, _ second: Simulation.Execution, again third: Simulation.Execution? = nil
  ) -> String {
    let cause = "usual causes: " + DivergenceCause.usual
    if let text = difference(first, second) { return lead + text + "; " + cause }
    if let third, let text = difference(second, third) { return lead + text + "; " + cause }
    let figures = lead + choices(first, second)
    guard let third, third.trace.digest == second.trace.digest else { return figures + "; " + cause }
    return figures + "; later executions agree with each other, so something was kept from an earlier one: "
      + "a global, a static, a lazy value, a file"
  }

  /// Describes where two executions of one schedule diverge whose objects had other addresses.
  static func elsewhere(_ first: Simulation.Execution, _ second: Simulation.Execution) -> String {
    lead + (difference(first, second) ?? choices(first, second))
      + "; only the addresses of objects were other ones, so the program acts on an address, for example through the "
      + "hash of an object's identity"
  }

  private static let lead = "the same schedule led to different traces: "

  /// Describes where the events of two executions diverge, if both have kept them.
  private static func difference(_ first: Simulation.Execution, _ second: Simulation.Execution) -> String? {
    guard !first.trace.events.isEmpty, !second.trace.events.isEmpty,
      let difference = FirstDifference(first.trace, second.trace)
    else { return nil }
    let before = first.trace.events[..<difference.agreed].last?.step ?? 0
    let place = first.trace.describe(step: before).map { ", the last in \($0)" } ?? ""
    return
      "both agree for \(difference.agreed) events\(place); then the one \(first.trace.sentence(difference.one)), "
      + "the other \(second.trace.sentence(difference.other))"
  }

  private static func choices(_ first: Simulation.Execution, _ second: Simulation.Execution) -> String {
    let differing = zip(first.choices, second.choices).enumerated().first { $1.0 != $1.1 }
    if let (position, (one, other)) = differing {
      return "at choice \(position) the one had \(one.options) options, the other \(other.options)"
    }
    return "\(first.steps) steps and \(first.choices.count) choices, "
      + "then \(second.steps) steps and \(second.choices.count) choices"
  }
}

/// The causes for one schedule leading to two traces.
enum DivergenceCause {
  static let usual =
    "state kept between executions (a global, a static, a file), a real clock, a thread of one's own, "
    + "an address that became a hash"
}
