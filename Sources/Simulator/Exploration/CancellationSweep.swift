internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

/// The schedules that deliver one cancel each, at every point of the natural order at which one may come.
struct CancellationSweep {
  /// In the order of the points.
  let schedules: [Schedule]

  var isEmpty: Bool { schedules.isEmpty }

  /// Runs the natural order once to find its points.
  init(_ runner: Runner, seed: UInt64) {
    runner.describesAll = true
    defer { runner.describesAll = false }
    let choices = runner.with(Strategies.NaturalOrder()) {
      runner.execute(0, seed: seed, keepingEvents: false).execution?.choices ?? []
    }.result
    schedules = choices.indices.filter { choices[$0].kind == .cancel }.map { position in
      Schedule(
        deviations: [.init(position: position, taken: 1, options: choices[position].options)],
        hasPreemptibleSteps: runner.overlaps)
    }
  }
}

extension Explorer {
  /// The suspension points at which a search has delivered a cancel: see ``Simulation/cancelAnywhere(_:_:)``.
  public struct CancellationCoverage: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The number of suspension points in the natural order.
    public let points: Int
    /// The number of these, from the first on, at which the cancel came in an execution of its own.
    public internal(set) var covered = 0

    package init(points: Int, covered: Int = 0) { (self.points, self.covered) = (points, covered) }

    public var description: String {
      covered == points
        ? "cancelled at each of \(points) suspension points"
        : "cancelled at the first \(covered) of \(points) suspension points"
    }
  }
}

extension Search {
  mutating func sweepIfOffered() {
    if !hasSwept, runner.offersCancels, numbering.isHome { alone { $0.sweepCancellations() } }
  }

  /// Delivers the cancels that may come anywhere, at each point of the natural order in turn.
  private mutating func sweepCancellations() {
    hasSwept = true
    let sweep = CancellationSweep(runner, seed: explorer.seed)
    guard !sweep.isEmpty else { return }
    report.cancellations = Explorer.CancellationCoverage(points: sweep.schedules.count)
    for schedule in sweep.schedules where !isDone {
      step(under: schedule)
      report.cancellations?.covered += 1
    }
  }
}
