import Testing

@testable import Simulator
@testable import SimulatorCore
@testable import SimulatorKernel

/// A step that takes long may be the program's fault, or the machine's. Only what happens again is the program's.
@Suite struct `A schedule that was given up for its time` {
  @Test func `is judged by how it ends when it is run again`() {
    let report = Self.explore(givingUp: { execution, _ in execution == 5 })
    #expect(report.violations.isEmpty)
    #expect(report.failures == 0)
    #expect(report.schedules == 20)
    #expect(
      report.warnings == [
        "schedule 3 was given up for the time or the memory that it took, and ended when it was run again: "
          + "what counts is how it ended"
      ])
  }

  @Test func `is a violation when it is given up each time`() {
    let report = Self.explore(givingUp: { _, steps in steps == 3 })
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.noHang])
  }

  /// Twenty schedules of a program that is correct, some executions of which are given up in a step.
  private static func explore(givingUp isSlow: @escaping (Int, Int) -> Bool) -> Explorer.Report {
    let body: Runner.Body = { _ in
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { await cell.add(1) } }
      }
    }
    var explorer = Explorer(name: "slow", body: body)
    explorer.budget.schedules = 20
    let runner = Runner.verified(options: Simulation.Options(), forecast: Slowness(isSlow), body: body)
    var search = Search(explorer, runner)
    search.run()
    return search.report
  }
}

/// Says of some executions that their third step never returned.
private final class Slowness: CrashForecast {
  private let isSlow: (Int, Int) -> Bool
  private var executions = 0
  let refusal: String? = nil

  init(_ isSlow: @escaping (Int, Int) -> Bool) { self.isSlow = isSlow }

  func next(isThorough: Bool) -> Death? {
    defer { executions += 1 }
    guard isSlow(executions, 3) else { return nil }
    return Death(
      cause: .stalled(.seconds(2)), place: .step, step: 3, acts: 0, isTearDown: false, choices: [],
      crashMessage: nil)
  }

  func end() {}
}
