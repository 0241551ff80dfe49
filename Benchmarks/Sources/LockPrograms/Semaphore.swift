import Foundation
import Simulator

extension LockProgram {
  /// A waiter is cancelled while it is about to wait.
  static let semaphore = LockProgram(
    "semaphore", .nsLock,
    "A cancel that comes between the check for it and the registration is lost: the waiter waits for ever."
  ) { _, twin in
    let semaphore = AsyncSemaphore(permits: 0, twin)
    let waiter = Task { try? await semaphore.wait() }
    let canceller = Task { waiter.cancel() }
    await canceller.value
    await waiter.value
  }
}

private final class AsyncSemaphore: @unchecked Sendable {
  // @unchecked Sendable because what varies is reached under the lock only.
  private let lock = NSLock()
  private var permits: Int
  private var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var lastID = 0
  private let twin: LockProgram.Twin

  init(permits: Int, _ twin: LockProgram.Twin) {
    self.permits = permits
    self.twin = twin
  }

  func wait() async throws {
    try Task.checkCancellation()
    let id = lock.withLock {
      lastID += 1
      return lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { register(id, $0) }
    } onCancel: {
      lock.withLock { withdraw(id) }?.resume(throwing: CancellationError())
    }
  }

  private func register(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let result: Result<Void, any Error>? = lock.withLock {
      // The handler takes the lock after the flag is set: either the flag is seen here, or the waiter there.
      if twin == .mended, Task.isCancelled { return .failure(CancellationError()) }
      if permits > 0 {
        permits -= 1
        return .success(())
      }
      waiters.append((id, continuation))
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  private func withdraw(_ id: Int) -> CheckedContinuation<Void, any Error>? {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
    return waiters.remove(at: index).continuation
  }
}
