import Foundation
import Testing

@testable import Simulator

/// A process is forked only where no other thread may hold a lock.
@Suite struct `The threads that may hold locks` {
  // In a process of its own: where threads of other tests end meanwhile, there are truly fewer than before.
  @Test func `are never too few while another simulation makes and ends threads`() async {
    await #expect(processExitsWith: .success) {
      // A thread of the system may end meanwhile too, which is no fault; hardly each time.
      #expect((0..<12).contains { _ in fewestBesideASimulation() >= 0 })
    }
  }
}

/// The lowest count while another thread explores, less the count before.
private func fewestBesideASimulation() -> Int {
  let other = LookingThread()
  let before = threadsThatMayHoldLocks()
  other.submit { for _ in 0..<200 { exploreStandingSteps() } }
  var fewest = Int.max
  while !other.isIdle { fewest = min(fewest, threadsThatMayHoldLocks()) }
  other.end()
  return fewest - before
}

private func exploreStandingSteps() {
  var explorer = Explorer(name: "locks", options: Simulation.Options(steps: .overlapping)) { _ in
    let lock = NSLock()
    await withDiscardingTaskGroup { group in
      for _ in 0..<4 { group.addTask { lock.withLock {} } }
    }
  }
  explorer.budget.schedules = 3
  _ = explorer.explore()
}
