import Simulator
import Testing
import Foundation
let onlyOne = ProcessInfo.processInfo.environment["ONLY"]

@Suite struct `Partial order reduction` {
  /// Tasks that each lose updates to each other; the root makes them in one step and asks for nothing.
  private func lostUpdate(tasks: Int) -> Report {
    explore(schedules: 10_000, strategy: ExhaustiveReduced()) { _ in
      let cell = Cell()
      for _ in 0..<tasks { Task { await increment(cell) } }
    }
  }

  @Test func `a lost update of two tasks has six behaviours`() {
    let report = lostUpdate(tasks: 2)
    #expect(report.exhaustion == .everyBehaviour)
    #expect(report.schedules == 6)
    #expect(report.behaviours == 6)
  }

  @Test func `a lost update of three tasks has ninety`() {
    let report = lostUpdate(tasks: 3)
    #expect(report.exhaustion == .everyBehaviour)
    #expect(report.schedules == 90)
    #expect(report.behaviours == 90)
  }

  @Test func `a discarding group takes no note of who is done first`() {
    let report = explore(schedules: 10_000, strategy: ExhaustiveReduced()) { _ in
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask { await increment(cell) } }
      }
    }
    #expect(report.exhaustion == .everyBehaviour)
    #expect(report.schedules == 90)
  }

  @Test(arguments: SmallProgram.all.filter { p in onlyOne.map { p.name.contains($0) } ?? true })
  func `comes to whatever brute force comes to, by every behaviour`(_ program: SmallProgram) {
    let (all, whole) = program.outcomes(ExhaustiveDFS(), schedules: 100_000)
    let (reduced, report) = program.outcomes(ExhaustiveReduced(), schedules: 100_000)
    #expect(report.exhaustion == .everyBehaviour)
    print("==", program.name, all.count, reduced.count, "dfs", whole.schedules, whole.exhaustion as Any, "behaviours", whole.behaviours, "reduced", report.schedules, report.behaviours)
    guard whole.exhaustion == .everySchedule else { return }
    #expect(reduced == all)
    #expect(report.behaviours == whole.behaviours)
    #expect(report.schedules == whole.behaviours)
  }
}
