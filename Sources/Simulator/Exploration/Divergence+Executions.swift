extension Divergence {
  /// In words, where two executions of one schedule part, as far as what was kept of them tells; `again` is a third,
  /// which tells whether only the first was different.
  static func between(_ first: Execution, _ second: Execution, again third: Execution? = nil) -> String {
    let cause = "usual causes: " + DivergenceCause.usual
    let lead = "the same schedule led to different traces: "
    if let text = difference(first, second) { return lead + text + "; " + cause }
    if let third, let text = difference(second, third) { return lead + text + "; " + cause }
    let figures = lead + choices(first, second)
    guard let third, third.trace.digest == second.trace.digest else { return figures + "; " + cause }
    return figures + "; later executions agree with each other, so something was kept from an earlier one: "
      + "a global, a static, a lazy value, a file"
  }

  /// Where the events of two executions part, when both have kept them.
  private static func difference(_ first: Execution, _ second: Execution) -> String? {
    guard !first.trace.events.isEmpty, !second.trace.events.isEmpty,
      let difference = FirstDifference(first.trace, second.trace)
    else { return nil }
    let before = first.trace.events[..<difference.agreed].last?.step ?? 0
    let place = first.trace.describe(step: before).map { ", the last in \($0)" } ?? ""
    return
      "both agree for \(difference.agreed) events\(place); then the one \(first.trace.sentence(difference.one)), "
      + "the other \(second.trace.sentence(difference.other))"
  }

  private static func choices(_ first: Execution, _ second: Execution) -> String {
    let differing = zip(first.choices, second.choices).enumerated().first { $1.0 != $1.1 }
    if let (position, (one, other)) = differing {
      return "at choice \(position) the one had \(one.options) options, the other \(other.options)"
    }
    return "\(first.steps) steps and \(first.choices.count) choices, "
      + "then \(second.steps) steps and \(second.choices.count) choices"
  }
}

extension Trace {
  /// Step `number` in words: its task, its domain, its source line, the time; nil when the events were not kept.
  func describe(step number: Int) -> String? {
    guard let event = events.first(where: { $0.kind == .step && $0.step == number }) else { return nil }
    let task = event.task.map { name(ofTask: $0) } ?? "somebody"
    let place = place(of: event).map { ", \($0)" } ?? ""
    return "step \(number) at \(event.time): \(task) on \(domains[event.domain])\(place)"
  }
}
