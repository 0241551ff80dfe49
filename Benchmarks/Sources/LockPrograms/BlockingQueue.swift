import Foundation
import Simulator

extension LockProgram {
  /// Two workers take two jobs from a queue that lets them wait.
  static let blockingQueue = LockProgram(
    "blocking queue", .condition,
    "A worker that was woken does not look again whether there is a job: another has come first and taken it."
  ) { simulation, twin in
    let queue = BlockingQueue(twin)
    async let first = take(queue)
    async let second = take(queue)
    for job in 1...2 { queue.put(job) }
    let jobs = await [first, second].compactMap(\.self)
    if jobs.count != 2 { simulation.fail("a job for each", "a worker was given none: \(jobs)") }
  }
}

@concurrent private func take(_ queue: BlockingQueue) async -> Int? { queue.take() }

private final class BlockingQueue: @unchecked Sendable {
  // @unchecked Sendable because `jobs` is reached under the condition only.
  private let condition = NSCondition()
  private var jobs: [Int] = []
  private let twin: LockProgram.Twin

  init(_ twin: LockProgram.Twin) { self.twin = twin }

  func put(_ job: Int) {
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  /// Waits until there is a job.
  func take() -> Int? {
    condition.withLock {
      switch twin {
      case .seeded: if jobs.isEmpty { condition.wait() }
      case .mended: while jobs.isEmpty { condition.wait() }
      }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }
}
