internal import Foundation
internal import Simulator

/// Runs searches, which compute for a long time without suspending, on their own threads. This leaves the threads of
/// the concurrent pool to the tests beside them. At most one search per processor runs at a time, first come, first
/// served.
actor SearchQueue {
  static let shared = SearchQueue(width: ProcessInfo.processInfo.activeProcessorCount)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) {
    free = max(1, width)
  }

  /// Runs `search` as the calling task, on its own thread, when its turn comes. Passes it the number of processors that
  /// it may use: its own, and those that no other search has or waits for.
  func run<Found: Sendable>(_ search: @Sendable (_ processors: Int) throws -> Found) async rethrows -> Found {
    await enter()
    defer { leave() }
    let processors = 1 + free
    return try await SearchThread().run { try search(processors) }
  }

  private func enter() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// A thread for the duration of one search.
private actor SearchThread {
  private nonisolated let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  func run<Found>(_ search: () throws -> Found) rethrows -> sending Found { try search() }
}

/// Gives each job a new thread.
private final class ThreadExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = Thread { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    thread.name = "simulation"
    thread.stackSize = 8 << 20
    OwnThreads.start { thread.start() }
  }
}
