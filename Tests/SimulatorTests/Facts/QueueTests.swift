import Foundation
import Simulator
import SimulatorStrategies
import Testing

@Suite struct `Queues of Dispatch` {
  @Test(arguments: SmallProgram.withQueues)
  func `come to all that they can, and to nothing else`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveDFS(), schedules: 50_000, steps: .asNeeded)
    #expect(found == one.outcomes)
    #expect(report.violations.map(\.message) == [])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test(arguments: SmallProgram.withQueues)
  func `come to the same in a reduced search`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveReduced(), schedules: 50_000, steps: .asNeeded)
    #expect(report.violations.map(\.message) == [])
    // Where it does not see what is shared, it says so.
    if report.coverage != nil { #expect(found == one.outcomes) }
  }

  @Test func `name who waits for whom in a deadlock`() throws {
    let program = SmallProgram("two queues") { _ in
      let (one, two) = (DispatchQueue(label: "one"), DispatchQueue(label: "two"))
      let group = DispatchGroup()
      one.async(group: group) { two.sync {} }
      two.async(group: group) { one.sync {} }
      await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
      return ""
    }
    let report = program.allOutcomes(Strategies.ExhaustiveDFS(), steps: .asNeeded).report
    let deadlock = try #require(report.violations.first { $0.invariant == Invariant.BuiltIn.deadlock })
    #expect(deadlock.message.contains("work 1 of one waits for its turn on two, by `sync` at "))
    #expect(deadlock.message.contains("work 1 of two waits for its turn on one, by `sync` at "))
  }

  @Test func `name the block that waits for its own queue`() throws {
    let program = SmallProgram("own queue") { _ in
      let queue = DispatchQueue(label: "own")
      await withCheckedContinuation { waiting in
        queue.async {
          queue.sync {}
          waiting.resume()
        }
      }
      return ""
    }
    let report = program.allOutcomes(Strategies.ExhaustiveDFS(), steps: .asNeeded).report
    let deadlock = try #require(report.violations.first)
    #expect(deadlock.invariant == Invariant.BuiltIn.deadlock)
    #expect(deadlock.message.contains("work 1 of own waits for its turn on own, by `sync` at "))
  }

  @Test func `are domains with their labels`() throws {
    var explorer = Explorer(name: "labels") { simulation in
      await withCheckedContinuation { waiting in
        DispatchQueue(label: "com.example.cache").async { waiting.resume() }
      }
      simulation.fail("always", "to see the trace")
    }
    explorer.budget.shrinkingExecutions = 0
    let trace = try #require(explorer.explore().violations.first?.trace)
    #expect(trace.domains.map(\.description) == ["pool", "MainActor", "com.example.cache"])
    #expect(trace.domains.last?.kind == .queue)
    #expect(trace.tasks.compactMap(\.name) == ["work 1 of com.example.cache"])
  }

  /// A queue gets a forwarder, because the closure has captured something.
  @Test func `name the closure that broke an invariant`() throws {
    var explorer = Explorer(name: "closure") { simulation in
      // The main queue keeps its uses apart.
      let number = Guarded(0)
      simulation.always("none") { number.value == 0 }
      await withCheckedContinuation { waiting in
        DispatchQueue.main.async {
          number.value += 1
          DispatchQueue.global().async { waiting.resume() }
        }
      }
    }
    explorer.budget.schedules = 1
    let violation = try #require(explorer.explore().violations.first)
    let culprit = try #require(Explorer.Explanation(violation).timeline?.entries.dropLast().last)
    #expect(culprit.domain == "MainActor")
    #expect(culprit.text.hasPrefix("work 1 of the main queue: closure in"))
    #expect(culprit.text.contains(" QueueTests.swift:"))
  }

  @Test func `answer what code asks of them`() {
    let key = DispatchSpecificKey<String>()
    let report = exhaust(schedules: 50) { simulation in
      let target = DispatchQueue(label: "target")
      target.setSpecific(key: key, value: "of the target")
      let queue = DispatchQueue(label: "queue", target: target)
      await withCheckedContinuation { waiting in
        queue.async {
          dispatchPrecondition(condition: .onQueue(queue))
          dispatchPrecondition(condition: .onQueue(target))
          dispatchPrecondition(condition: .notOnQueue(.main))
          if DispatchQueue.getSpecific(key: key) != "of the target" { simulation.fail("key", "not found") }
          let hasTask = unsafe withUnsafeCurrentTask { unsafe $0 != nil }
          if hasTask { simulation.fail("task", "a block has none") }
          if Thread.isMainThread { simulation.fail("thread", "not the main one") }
          waiting.resume()
        }
      }
      await withCheckedContinuation { waiting in
        DispatchQueue.main.async {
          dispatchPrecondition(condition: .onQueue(.main))
          if !Thread.isMainThread { simulation.fail("thread", "the main one") }
          MainActor.assumeIsolated {}
          waiting.resume()
        }
      }
      if DispatchQueue.getSpecific(key: key) != nil { simulation.fail("key", "on no queue") }
    }
    #expect(report.violations.map(\.message) == [])
  }
}
