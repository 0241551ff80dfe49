import Foundation
import Simulator
import Testing

@Suite struct `Threads and run loops` {
  private static let programs = SmallProgram.withThreads + SmallProgram.withRunLoops

  @Test(arguments: programs)
  func `come to all that they can, and to nothing else`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(Strategies.RandomWalk(), schedules: 500, steps: .asNeeded)
    #expect(found == one.outcomes)
    #expect(report.violations.map(\.message) == [])
  }

  @Test(arguments: programs)
  func `come to the same in depth first search`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveDFS(), schedules: 2_000, steps: .asNeeded)
    #expect(found.isSubset(of: one.outcomes))
    // Some have more schedules than a test has time for.
    if report.coverage != nil { #expect(found == one.outcomes) }
    #expect(report.violations.map(\.message) == [])
  }

  @Test(arguments: programs)
  func `come to the same in a reduced search`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveReduced(), schedules: 20_000, steps: .asNeeded)
    #expect(report.violations.map(\.message) == [])
    // Where it does not see what is shared, it says so.
    if report.coverage != nil { #expect(found == one.outcomes) }
  }

  @Test func `a thread that waits for a lock of another is part of a deadlock`() throws {
    let program = SmallProgram("two locks") { _ in
      let (one, two, done) = (NSLock(), NSLock(), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        one.withLock { two.withLock {} }
        done.signal()
      }
      two.withLock { one.withLock {} }
      here { done.wait() }
      return ""
    }
    let report = program.allOutcomes(Strategies.ExhaustiveDFS(), steps: .asNeeded).report
    let deadlock = try #require(report.violations.first { $0.invariant == Invariant.BuiltIn.deadlock })
    #expect(deadlock.message.contains("the work of thread 1 waits for a lock"))
  }

  @Test func `a thread is a domain of its own`() throws {
    var explorer = Explorer(name: "domains") { simulation in
      await withCheckedContinuation { waiting in
        Thread.detachNewThread { waiting.resume() }
      }
      simulation.fail("shown", "so that there is a trace")
    }
    explorer.budget.schedules = 1
    let violation = try #require(explorer.explore().violations.first)
    #expect(violation.trace.domains.contains { $0.type == "thread 1" && $0.kind == .thread })
  }
}
