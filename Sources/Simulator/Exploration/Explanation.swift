/// A violation as a person reads it: the race in words, what happened, where a run that passes parts from it, how small
/// the schedule is, and what replays it.
///
/// No line but the token's is longer than `width`.
public struct Explanation: CustomStringConvertible, Sendable {
  private let violation: Violation
  private let width: Int
  private let replay: String
  private static let mostRows = 48

  /// The explanation of `violation`, whose last line says how to replay it: the token, or what `replay` makes of it.
  public init(
    _ violation: Violation, width: Int = 80, replay: (ScheduleToken) -> String = { "replay: \($0)" }
  ) {
    self.violation = violation
    self.width = width
    self.replay = replay(violation.token)
  }

  public var description: String {
    let parts = [
      headline, story, violation.shrinking?.nearestPassing?.description, violation.shrinking?.description,
    ]
    return (parts.compactMap { $0 }.map(wrapped) + [replay]).joined(separator: "\n\n")
  }

  private var headline: String {
    // What nobody has tried to name is not called unclassified.
    let name = violation.race?.title ?? (violation.shrinking == nil ? nil : "Unclassified")
    return """
      \(name.map { $0 + ": " } ?? "")\(violation.message)\(violation.evidence.map { "\n" + $0 } ?? "")
      violates \(violation.invariant) at \(violation.time), step \(violation.step); found by schedule \(violation.number)
      """
  }

  private func wrapped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { line in
        let indent = line.prefix { $0 == " " }.count
        return line.count <= width
          ? [String(line)] : Wrapping.lines(String(line), width: width, indent: indent + 4)
      }
      .joined(separator: "\n")
  }

  // MARK: the timeline

  private var story: String? {
    guard !violation.trace.events.isEmpty else { return nil }
    let marks = violation.shrinking?.marks ?? []
    let slice = Slice(
      violation.trace, upTo: violation.step, showing: Set(marks.filter { !$0.isAction }.map(\.step)))
    let told = StoryTeller(trace: violation.trace, marks: marks).rows(slice.events)
    guard !told.isEmpty else { return nil }
    let left = max(0, told.count - Self.mostRows)
    let verdict = Timeline.Row(
      time: violation.time, domain: domainOfViolation, text: "✗ \(violation.invariant)", isWide: true)
    let timeline = Timeline(told.dropFirst(left) + [verdict], domains: violation.trace.domains, width: width)
    let notes = [
      slice.initial.isEmpty
        ? nil : "at first: " + slice.initial.map { "\($0.name): \($0.value)" }.joined(separator: "; "),
      left > 0 ? "(\(left) earlier rows left out)" : nil,
    ]
    let legend = marks.isEmpty ? [] : ["»: the schedule leaves the natural order"]
    return (notes.compactMap { $0 } + [timeline.description] + legend).joined(separator: "\n")
  }

  /// The domain of the step at which the violation was noticed; nil when that is not where it happened.
  private var domainOfViolation: Int? {
    let step = violation.trace.events.last { $0.step <= violation.step && $0.kind == .step }
    guard let step, step.step < (violation.trace.events.last?.step ?? 0) else { return nil }
    return step.domain
  }
}

extension Violation: CustomStringConvertible {
  public var description: String { Explanation(self).description }
}
