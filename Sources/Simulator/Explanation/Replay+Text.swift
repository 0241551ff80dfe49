internal import SimulatorCore
internal import SimulatorKernel

extension Explorer.ReplayResult: CustomStringConvertible {
  /// The violations or the point where it diverged from the recording, what happened, and where the schedule
  /// leaves the natural order, in 80 columns.
  public var description: String { text() }

  /// Returns the same text with no line except the token's longer than `width`. Without a recording, it does not
  /// mention one.
  package func text(width: Int = 80, isRecorded: Bool = true) -> String {
    let parts = [verdict(isRecorded), story(width), schedule].compactMap(\.self)
      .map { Wrapping.text($0, width: width) }
    return (parts + ["\(outcome(isRecorded)): \(execution.token)"]).joined(separator: "\n\n")
  }

  private func verdict(_ isRecorded: Bool) -> String {
    let nothing = isRecorded ? nothingViolatedText : nil
    var lines: [String] = []
    if let divergence { lines.append("DIVERGED: \(divergence)") }
    lines += execution.violations.map { violation in
      let race = violation.diagnosis.map { $0.title + ": " } ?? ""
      return
        "\(race)\(violation.message)\nviolates \(violation.invariant) at \(violation.time), step \(violation.step)"
    }
    if execution.violations.isEmpty { lines.append(nothing ?? "nothing is violated") }
    return lines.joined(separator: "\n")
  }

  /// Returns everything that happened. Steps in which nothing happened appear only if the schedule leaves the natural
  /// order there.
  private func story(_ width: Int) -> String? {
    let trace = execution.trace
    let told = trace.events.filter { $0.kind != .step }
    guard !told.isEmpty else {
      return trace.events.isEmpty ? nil : Explorer.Timeline(trace, width: width).description
    }
    let shown = Set(marks.filter { !$0.isAction }.map(\.step))
    let events = trace.events.filter { $0.kind != .step || shown.contains($0.step) }
    var rows = TimelineRenderer(trace: trace, marks: marks).rows(events)
    for violation in execution.violations {
      let row = Explorer.Timeline.Row(
        time: violation.time, domain: nil, text: "✗ \(violation.invariant)", isWide: true)
      rows.insert(row, at: rows.firstIndex { $0.time > violation.time } ?? rows.endIndex)
    }
    let timeline = Explorer.Timeline(Explorer.Timeline.folded(rows), domains: trace.domains, width: width)
    return timeline.description + (marks.isEmpty ? "" : "\n»: the schedule leaves the natural order")
  }

  private var schedule: String? {
    if deviations.isEmpty { return "the natural order" }
    return (["the natural order except that"] + deviations.map { "  " + $0 }).joined(separator: "\n")
  }

  private func outcome(_ isRecorded: Bool) -> String {
    if divergence != nil { return "not reproduced" }
    if execution.violations.isEmpty { return "violates nothing" }
    return isRecorded ? "reproduced" : "its schedule"
  }
}
