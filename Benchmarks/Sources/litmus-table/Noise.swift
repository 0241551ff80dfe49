import Synchronization

/// Busy tasks that take the pool's threads away at odd moments.
final class Noise: Sendable {
  private let stopped: StopFlag
  private let tasks: [Task<Void, Never>]

  init() {
    let stopped = StopFlag()
    self.stopped = stopped
    tasks = [TaskPriority.low, .high].map { priority in
      Task.detached(priority: priority) {
        while !stopped.isSet {
          spin(.random(in: 0...50_000))
          await Task.yield()
        }
      }
    }
  }

  func stop() async {
    stopped.set()
    for task in tasks { await task.value }
  }
}

private final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}

private let turnsMade = Atomic(0)

/// Keeps a thread busy for about `turns` nanoseconds.
func spin(_ turns: Int) {
  for _ in 0..<turns / 4 { _ = turnsMade.load(ordering: .relaxed) }
}
