import Foundation
import Synchronization

extension Process {
  /// Starts it and waits for its end. Meanwhile no thread of the tests' pool is held, so that other tests run.
  func runToItsEnd() async throws {
    try await withCheckedThrowingContinuation { continuation in
      terminationHandler = { _ in continuation.resume() }
      do {
        try run()
      } catch {
        terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
  }
}

/// The end of a process that is started now and awaited later.
final class ProcessEnd: Sendable {
  private enum State {
    case running
    case awaited([CheckedContinuation<Void, Never>])
    case ended
  }

  private let state = Mutex(State.running)

  /// Starts a process.
  func start(_ process: Process) throws {
    process.terminationHandler = { _ in self.hasCome() }
    // Two sessions of `URLSession` that end at once can leave it ignored, and what is started inherits that.
    signal(SIGPIPE, SIG_DFL)
    try process.run()
  }

  private func hasCome() {
    let waiting = state.withLock { state in
      defer { state = .ended }
      if case .awaited(let continuations) = state { return continuations }
      return []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once the process has ended, without holding a thread.
  func wait() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        switch state {
        case .running: state = .awaited([continuation])
        case .awaited(let others): state = .awaited(others + [continuation])
        case .ended: return true
        }
        return false
      }
      if hasEnded { continuation.resume() }
    }
  }
}

/// How many tools the tests run at once: as many as there are processors, and one more, because some of them wait.
actor ToolSlots {
  static let shared = ToolSlots(free: ProcessInfo.processInfo.activeProcessorCount + 1)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private init(free: Int) { self.free = free }

  /// Runs `body` as soon as a slot is free.
  func occupied<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
    defer {
      // The slot goes to the next without becoming free.
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
    return try await body()
  }
}

/// Runs `body`, which holds its thread, on a thread of its own.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
