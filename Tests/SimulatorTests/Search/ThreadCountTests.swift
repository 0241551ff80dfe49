import Foundation
import Testing

@testable import Simulator
@testable import SimulatorKernel

/// A process is forked only where no other thread may hold a lock.
@Suite struct `The threads that may hold locks` {
  // In a process of its own: where threads of other tests begin and end, nobody knows how many there are.
  @Test func `are never too few while another simulation makes and ends threads`() async {
    await #expect(processExitsWith: .success) { #expect(fewestBesideASimulation() >= 0) }
  }
}

/// The lowest count while another thread explores, less the count before.
private func fewestBesideASimulation() -> Int {
  let other = LookingThread()
  defer { other.end() }
  let before = countAtRest()
  other.submit { for _ in 0..<200 { exploreParkedSteps() } }
  var fewest = Int.max
  while !other.isIdle { fewest = min(fewest, threadsThatMayHoldLocks()) }
  return fewest - before
}

/// The count once no thread has ended for some time: those of the system that have nothing to do end after five seconds.
private func countAtRest() -> Int {
  var (count, since) = (threadsThatMayHoldLocks(), 0)
  while since < 80 {
    Thread.sleep(forTimeInterval: 0.1)
    let now = threadsThatMayHoldLocks()
    (count, since) = (now, now == count ? since + 1 : 0)
  }
  return count
}

private func exploreParkedSteps() {
  var explorer = Explorer(name: "locks", options: Simulation.Options(steps: .preemptible)) { _ in
    let lock = NSLock()
    await withDiscardingTaskGroup { group in
      for _ in 0..<4 { group.addTask { lock.withLock {} } }
    }
  }
  explorer.budget.schedules = 3
  _ = explorer.explore()
}
