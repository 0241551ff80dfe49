import Foundation

/// Keeps each caller's continuation until somebody takes it out to resume it: the callback or the cancel,
/// whichever comes first. The other finds nothing.
actor HardenedHeadphonesConnector: HeadphonesConnector {
  private struct Caller {
    let continuation: CheckedContinuation<Void, any Error>
    let attempt: any ConnectionAttempt
  }

  private var waiting: [UUID: Caller] = [:]
  private let radio: any HeadphonesRadio

  init(radio: any HeadphonesRadio) {
    self.radio = radio
  }

  func connect() async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(id, $0) }
    } onCancel: {
      // Comes after `wait`, which belongs to the same step as the call.
      Task { await cancel(id) }  // guard: cancel-reaches-attempt
    }
  }

  private func wait(_ id: UUID, _ continuation: CheckedContinuation<Void, any Error>) {
    let attempt = radio.connect { result in
      Task { await self.resume(id, with: result) }
    }
    waiting[id] = Caller(continuation: continuation, attempt: attempt)
  }

  private func cancel(_ id: UUID) {
    waiting[id]?.attempt.cancel()  // guard: attempt-is-cancelled
    resume(id, with: .failure(CancellationError()))  // guard: cancel-resumes
  }

  private func resume(_ id: UUID, with result: Result<Void, any Error>) {
    let caller = waiting.removeValue(forKey: id)  // guard: take-out => let caller = waiting[id]
    caller?.continuation.resume(with: result)
  }
}

// Not guards: keeping and handing over continuations and attempts by their ids, without which nobody connects.
