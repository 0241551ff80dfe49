import Dispatch
import Simulator
import SimulatorStrategies
import Testing

/// A queue that is suspended begins nothing, not even what it had before.
@Suite struct `A suspended queue` {
  private static let programs: [SmallProgram.OfQueues] = [
    SmallProgram.OfQueues("holds back the block before", ["-|1", "1-|"]) { log in
      let queue = DispatchQueue(label: "serial")
      queue.async { log.add("1") }
      queue.suspend()
      log.add("-")
      try? await Task.sleep(for: .seconds(1))
      log.add("|")
      queue.resume()
      await isEmpty(queue)
    },
    SmallProgram.OfQueues("goes on when it is resumed", ["-12", "1-2", "12-"]) { log in
      let queue = DispatchQueue(label: "serial")
      for letter in "12" { queue.async { log.add("\(letter)") } }
      queue.suspend()
      log.add("-")
      queue.resume()
      await isEmpty(queue)
    },
    SmallProgram.OfQueues("goes on when it was resumed as often", ["-|1", "1-|"]) { log in
      let queue = DispatchQueue(label: "serial")
      queue.async { log.add("1") }
      for _ in 1...2 { queue.suspend() }
      log.add("-")
      queue.resume()
      await Task.yield()
      log.add("|")
      queue.resume()
      await isEmpty(queue)
    },
    // A concurrent queue has handed it over.
    SmallProgram.OfQueues("has handed it over if it is concurrent", ["-1|", "1-|"]) { log in
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      queue.async { log.add("1") }
      queue.suspend()
      log.add("-")
      try? await Task.sleep(for: .seconds(1))
      log.add("|")
      queue.resume()
      await isEmpty(queue)
    },
  ]

  @Test(arguments: programs)
  func `comes to all that it can, and to nothing else`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveDFS(), schedules: 50_000, steps: .asNeeded)
    #expect(found == one.outcomes)
    #expect(report.violations.map(\.message) == [])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
    let (reduced, _) = one.program.allOutcomes(
      Strategies.ExhaustiveReduced(), schedules: 50_000, steps: .asNeeded)
    #expect(reduced == one.outcomes)
  }

  private static func isEmpty(_ queue: DispatchQueue) async {
    await withCheckedContinuation { waiting in queue.async { waiting.resume() } }
  }
}
