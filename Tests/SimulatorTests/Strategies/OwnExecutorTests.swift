import Dispatch
import Simulator
import SimulatorStrategies
import Testing

/// An executor of the program's is made anew in each execution, mostly at another address.
@Suite struct `Actors with an executor of their own` {
  @Test func `behave as brute force finds, and random schedules show no more`() {
    let program = SmallProgram("own executors") { _ in
      let desk = OwnDesk()
      let tasks = (0..<2).map { _ in
        Task {
          let number = await desk.number
          await desk.set(number + 1)
        }
      }
      for task in tasks { await task.value }
      return "\(await desk.number)"
    }
    let (all, whole) = program.outcomes(Following(Strategies.ExhaustiveDFS()), schedules: 20_000)
    let (found, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: 20_000)
    #expect(whole.coverage == .everySchedule)
    #expect(report.coverage == .everyBehavior, "\(report.incompleteCoverageText ?? "")")
    #expect(report.behaviors == whole.behaviors)
    #expect(all == ["1", "2"] && found == all)
  }

  @Test func `that are several behave as brute force finds`() {
    let program = SmallProgram("several executors") { _ in
      let desks = [OwnDesk(), OwnDesk()]
      let tasks = (0..<2).map { index in
        Task {
          let number = await desks[index].number
          await desks[1 - index].set(number + 1)
        }
      }
      for task in tasks { await task.value }
      return "\(await desks[0].number) \(await desks[1].number)"
    }
    let (all, whole) = program.outcomes(Following(Strategies.ExhaustiveDFS()), schedules: 50_000)
    let (found, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: 20_000)
    #expect(whole.coverage == .everySchedule)
    #expect(report.coverage == .everyBehavior, "\(report.incompleteCoverageText ?? "")")
    #expect(found == all)
  }
}

private final class OwnQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "own")

  func enqueue(_ job: consuming ExecutorJob) {
    // Safe: each job is run once, on an executor that the closure holds.
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

actor OwnDesk {
  private let executor = OwnQueue()
  private(set) var number = 0

  // Safe: the actor holds its executor for as long as it lives.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  func set(_ number: Int) { self.number = number }
}
