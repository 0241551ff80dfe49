import Foundation
import Simulator
import TwinPrograms

extension TwinProgram {
  /// Requests note how long they took in one of two buffers, which a reporter swaps and empties.
  static let histogram = TwinProgram(
    "histogram", "locks, a group",
    bug:
      "A buffer is cleared before it is used again: a sample that came late for a report is lost.",
    deviations: 1
  ) { simulation, twin in
    let histogram = Histogram(twin)
    let reported = await withTaskGroup(of: Int.self) { group in
      for task in 0..<3 {
        group.addTask {
          for sample in 0..<2 {
            histogram.record(10 * task + sample)
            await Task.yield()
          }
          return 0
        }
      }
      group.addTask {
        var count = 0
        for _ in 0..<3 {
          count += histogram.report().count
          await Task.yield()
        }
        return count
      }
      return await group.reduce(0, +)
    }
    let rest = histogram.report().count + histogram.report().count
    let total = reported + rest
    if total != 6 { simulation.fail("every sample is reported", "\(total) of 6 samples were reported") }
  }
}

private final class Histogram: @unchecked Sendable {
  // @unchecked Sendable because each is reached under its lock only.
  private let lock = NSLock()
  private var active = 0
  private let buffers = [Buffer(), Buffer()]
  private let twin: TwinProgram.Twin

  init(_ twin: TwinProgram.Twin) { self.twin = twin }

  func record(_ sample: Int) {
    // Not held while the sample is noted: a request does not wait for another's.
    let buffer = lock.withLock { buffers[active] }
    buffer.append(sample)
  }

  /// The samples since the last report.
  func report() -> [Int] {
    let full = lock.withLock {
      let full = buffers[active]
      active = 1 - active
      if twin == .seeded { buffers[active].clear() }
      return full
    }
    return full.drain()
  }
}

private final class Buffer: @unchecked Sendable {
  // @unchecked Sendable because `samples` is reached under the lock only.
  private let lock = NSLock()
  private var samples: [Int] = []

  func append(_ sample: Int) { lock.withLock { samples.append(sample) } }

  func clear() { lock.withLock { samples.removeAll() } }

  func drain() -> [Int] {
    lock.withLock {
      defer { samples = [] }
      return samples
    }
  }
}
