public import SimulatorCore

extension Explorer {
  /// A violation for a human reader: the race in words, what happened, where a passing run departs from it, how small
  /// the schedule is, and how to replay it.
  ///
  /// No line except the token's is longer than `width`.
  public struct Explanation: CustomStringConvertible, Sendable {
    let violation: Invariant.Violation
    let width: Int
    let replay: String
    private static let mostRows = 48

    /// Explains `violation`. The last line says how to replay it: the token, or what `replay` makes of it.
    public init(
      _ violation: Invariant.Violation, width: Int = 80,
      replay: (Schedule.Token) -> String = { "replay: \($0)" }
    ) {
      self.violation = violation
      self.width = width
      self.replay = replay(violation.token)
    }

    public var description: String { "\(body)\n\n\(replay)" }

    /// Everything except the line that replays it.
    package var body: String {
      let parts = [
        verdict, story, violation.shrinking?.nearestPassing?.description, violation.shrinking?.description,
      ]
      return parts.compactMap { $0 }.map { Wrapping.text($0, width: width) }.joined(separator: "\n\n")
    }

    /// The diagnosis and what went wrong. A violation is called unclassified only after a reduction has looked at it.
    package var headline: String {
      Self.headline(violation.diagnosis?.name, violation.message, isShrunk: violation.shrinking != nil)
    }

    package static func headline(_ diagnosis: String?, _ message: String, isShrunk: Bool) -> String {
      let title = diagnosis.map { $0.prefix(1).uppercased() + $0.dropFirst() }
      return ((title ?? (isShrunk ? "Unclassified" : nil)).map { $0 + ": " } ?? "") + message
    }

    private var verdict: String {
      "\(headline)\(violation.evidence.map { "\n" + $0 } ?? "")\n\(finding)"
    }

    /// The violated invariant, the time, and the schedule that found it.
    var finding: String {
      "violates \(violation.invariant) at \(violation.time), step \(violation.step); found by schedule \(violation.number)\(fresh)"
    }

    /// The result of a replay in a fresh process.
    private var fresh: String {
      switch violation.freshReplay {
      case nil: ""
      case .shown: ", \(violation.freshOrigin.text) too"
      case .notShown: ", not \(violation.freshOrigin.text)"
      case .onlyInFreshProcess: ", only \(violation.freshOrigin.text)"
      }
    }

    // MARK: the timeline

    /// The events that matter to the violation; nil if none were kept.
    package var timeline: Explorer.Timeline? { told?.timeline }

    private var told: (timeline: Explorer.Timeline, slice: Slice, left: Int)? {
      guard !violation.trace.events.isEmpty else { return nil }
      let shown = marks.filter { !$0.isAction }.map(\.step)
      let slice = Slice(violation.trace, upTo: violation.step, showing: Set(shown))
      let rows = Explorer.Timeline.folded(
        TimelineRenderer(trace: violation.trace, marks: marks).rows(slice.events))
      guard !rows.isEmpty else { return nil }
      let left = max(0, rows.count - Self.mostRows)
      let verdict = Explorer.Timeline.Row(
        time: violation.time, domain: domainOfViolation, text: "✗ \(violation.invariant)", isWide: true)
      let timeline = Explorer.Timeline(
        rows.dropFirst(left) + [verdict], domains: violation.trace.domains, width: width)
      return (timeline, slice, left)
    }

    private var marks: [Invariant.Shrinking.Mark] { violation.shrinking?.marks ?? [] }

    var story: String? {
      guard let (timeline, slice, left) = told else { return nil }
      let notes = [
        slice.initial.isEmpty
          ? nil : "at first: " + slice.initial.map { "\($0.name): \($0.value)" }.joined(separator: "; "),
        left > 0 ? "(\(left) earlier rows left out)" : nil,
      ]
      let legend = marks.isEmpty ? [] : ["»: the schedule leaves the natural order"]
      return (notes.compactMap { $0 } + [timeline.description] + legend).joined(separator: "\n")
    }

    /// The domain of the step at which the violation was noticed; nil if it did not happen in that step.
    private var domainOfViolation: Int? {
      let step = violation.trace.events.last { $0.step <= violation.step && $0.kind == .step }
      guard let step, step.step < (violation.trace.events.last?.step ?? 0) else { return nil }
      return step.domain
    }
  }
}

extension Invariant.Violation: CustomStringConvertible {
  public var description: String { Explorer.Explanation(self).description }
}
