package import SimulatorCore

extension Explorer {
  /// The contents of a picture of one execution: a lane for each domain, and the rows of a timeline with everything
  /// that is needed to draw them.
  package struct Chart: Hashable, Codable, Sendable {
    /// A domain.
    package struct Lane: Hashable, Codable, Sendable {
      package var name: String
      package var kind: Trace.Domain.Kind

      package init(name: String, kind: Trace.Domain.Kind) {
        self.name = name
        self.kind = kind
      }
    }

    /// A line of the program.
    package struct Place: Hashable, Codable, Sendable {
      package var function: String
      package var file: String
      package var line: Int
      /// The text of the line; nil if the file cannot be read.
      package var text: String?
      /// The path of the file from the working directory; nil if it was compiled elsewhere.
      package var path: String?

      package init(function: String, file: String, line: Int, text: String?, path: String? = nil) {
        self.function = function
        self.file = file
        self.line = line
        self.text = text
        self.path = path
      }
    }

    /// A change of an observed value.
    package struct Change: Hashable, Codable, Sendable {
      package var name: String
      package var before: String
      package var after: String

      package init(name: String, before: String, after: String) {
        (self.name, self.before, self.after) = (name, before, after)
      }
    }

    /// One entry of the timeline.
    package struct Row: Hashable, Codable, Sendable {
      package var nanoseconds: Int64
      /// The step in which it happened, counted from 1; 0 if it happened before the first step.
      package var step: Int
      /// An index into the lanes; nil for an event from outside.
      package var lane: Int?
      package var text: String
      /// The number of the task, in this execution.
      package var task: Int?
      /// True if a step begins here.
      package var isStep = false
      /// True if the schedule leaves the natural order here.
      package var isMarked = false
      /// True if an invariant is violated here.
      package var isVerdict = false
      /// The last shown step of those that led to this one; nil if time or something from outside led to it.
      package var cause: Int?
      /// The number of the call that begins or ends here.
      package var call: Int?
      /// The observed values that change here.
      package var changes: [Change] = []
      /// The place at which a step resumes, and its callers, innermost first.
      package var places: [Place] = []

      package init(nanoseconds: Int64, step: Int, lane: Int?, text: String) {
        self.nanoseconds = nanoseconds
        self.step = step
        self.lane = lane
        self.text = text
      }

      package var time: VirtualInstant { VirtualInstant(nanoseconds: nanoseconds) }
    }

    package var lanes: [Lane]
    package var rows: [Row]
    /// The initial state of each observed value.
    package var initial: [String]
    /// The number of earlier rows that are left out.
    package var leftOut: Int
    /// The first row that the other execution does not have; nil if no other execution is shown beside this one.
    package var difference: Int?

    package init(lanes: [Lane], rows: [Row], initial: [String] = [], leftOut: Int = 0, difference: Int? = nil)
    {
      self.lanes = lanes
      self.rows = rows
      self.initial = initial
      self.leftOut = leftOut
      self.difference = difference
    }
  }
}

extension Explorer.Explanation {
  /// Returns the charts of the execution that violates something and of the nearest passing run, from the point at
  /// which the two differ; nil if no events were kept. Finding the places in the code takes milliseconds each.
  package static func charts(
    _ violation: Invariant.Violation
  ) -> (failing: Explorer.Chart, passing: Explorer.Chart?)? {
    charts(violation, violation.shrinking?.marks ?? [], beside: violation.shrinking?.nearestPassing)
  }

  /// Returns the same for a schedule that leaves the natural order at `marks`.
  package static func charts(
    _ violation: Invariant.Violation, _ marks: [Invariant.Shrinking.Mark],
    beside nearest: Invariant.NearestPassing?
  ) -> (failing: Explorer.Chart, passing: Explorer.Chart?)? {
    guard !violation.trace.events.isEmpty else { return nil }
    var failing = ChartMaker(trace: violation.trace, marks: marks, last: violation.step)
      .chart(differingAt: nearest?.agreed)
    failing.add(verdict: "✗ \(violation.invariant)", of: violation)
    let passing = nearest.map { nearest in
      ChartMaker(trace: nearest.trace, marks: [], last: nearest.trace.events.last?.step ?? 0)
        .chart(from: nearest.agreed)
    }
    return (failing, passing)
  }
}

extension Explorer.Chart {
  /// Makes the chart of a whole execution that leaves the natural order at `marks`.
  package init(_ trace: Trace, _ marks: [Invariant.Shrinking.Mark]) {
    self = ChartMaker(trace: trace, marks: marks, last: trace.events.last?.step ?? 0).chart(differingAt: nil)
  }

  /// Adds the violation as the last row, at the step where it was noticed.
  fileprivate mutating func add(verdict: String, of violation: Invariant.Violation) {
    let step = violation.trace.events.last { $0.step <= violation.step && $0.kind == .step }
    let isAtEnd = violation.step >= (violation.trace.events.last?.step ?? 0)
    let lane =
      isAtEnd
      ? nil
      : step.flatMap { step in
        lanes.firstIndex { $0.name == violation.trace.domains[step.domain].description }
      }
    var row = Row(
      nanoseconds: violation.time.nanoseconds, step: violation.step, lane: lane, text: verdict.visible)
    row.isVerdict = true
    rows.append(row)
  }
}
