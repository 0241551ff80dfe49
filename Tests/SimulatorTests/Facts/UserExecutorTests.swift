import Foundation
import Simulator
import SimulatorStrategies
import Testing

@Suite struct `Programs with executors of their own` {
  @Test(arguments: SmallProgram.withExecutors)
  func `come to all that they can, and to nothing else`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveDFS(), schedules: 50_000, steps: .asNeeded)
    #expect(found == one.outcomes)
    #expect(report.violations.map(\.message) == [])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test(arguments: SmallProgram.withExecutors + SmallProgram.withExecutorsThatOverlap)
  func `come to the same in a reduced search`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveReduced(), schedules: 50_000, steps: .asNeeded)
    #expect(found == one.outcomes)
    #expect(report.violations.map(\.message) == [])
    #expect(report.coverage == .everyBehavior, "\(report.incompleteCoverageText ?? "")")
  }

  @Test(arguments: SmallProgram.withExecutors + SmallProgram.withExecutorsThatOverlap)
  func `show nothing else in random schedules that overlap`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(Strategies.RandomWalk(), schedules: 500)
    #expect(found.subtracting(one.outcomes) == [])
    #expect(report.violations.map(\.message) == [])
  }

  /// A step may stand within the block that runs its job, and another part of its task be on offer then.
  @Test(arguments: Strategies.Named.all.map(\.name))
  func `share a lock around a suspension, under every strategy`(name: String) throws {
    var explorer = Explorer(name: "lock") { _ in
      let turns = QueueTurnsOfTasks(DispatchQueue(label: "both", attributes: .concurrent))
      let lock = NSLock()
      await withDiscardingTaskGroup { group in
        for _ in 1...3 {
          group.addTask(executorPreference: turns) {
            lock.withLock {}
            try? await Task.sleep(for: .microseconds(1))
            lock.withLock {}
          }
        }
      }
    }
    explorer.strategy = try #require(Strategies.Named.named(name)).make()
    explorer.budget.schedules = 1000
    #expect(explorer.explore().violations.map(\.message) == [])
  }

  @Test func `take time on their executor, where nothing else runs meanwhile`() {
    let program = SmallProgram.OfQueues("work", ["aabb", "bbaa"]) { log in
      let clerk = BusyClerk(log)
      async let one: Void = clerk.work("a")
      async let two: Void = clerk.work("b")
      _ = await (one, two)
    }
    let (found, report) = program.program.allOutcomes(Strategies.ExhaustiveDFS(), steps: .asNeeded)
    #expect(found == program.outcomes)
    #expect(report.violations.map(\.message) == [])
  }

  private actor BusyClerk {
    private let executor = QueueTurns()
    private let log: QueueLog
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    init(_ log: QueueLog) { self.log = log }

    func work(_ letter: String) async {
      log.add(letter)
      await Simulation.spend(.seconds(1))
      executor.checkIsolated()
      log.add(letter)
    }
  }
}
