/// Keeps each caller's continuation until somebody takes it out to resume it: the callback or the cancel,
/// whichever comes first. The other finds nothing.
actor HardenedHeadphonesConnector: HeadphonesConnector {
  private struct Caller {
    let continuation: CheckedContinuation<Void, any Error>
    let attempt: any ConnectionAttempt
  }

  private var waiting: [Int: Caller] = [:]
  private var callers = 0
  private let radio: any HeadphonesRadio

  init(radio: any HeadphonesRadio) {
    self.radio = radio
  }

  func connect() async throws {
    callers += 1  // guard: a-number-each
    let number = callers
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(number, $0) }
    } onCancel: {
      // Comes after `wait`, which belongs to the same step as the call.
      Task { await cancel(number) }  // guard: cancel-reaches-attempt
    }
  }

  private func wait(_ number: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let attempt = radio.connect { result in
      Task { await self.resume(number, with: result) }
    }
    waiting[number] = Caller(continuation: continuation, attempt: attempt)
  }

  private func cancel(_ number: Int) {
    waiting[number]?.attempt.cancel()  // guard: attempt-is-cancelled
    resume(number, with: .failure(CancellationError()))  // guard: cancel-resumes
  }

  private func resume(_ number: Int, with result: Result<Void, any Error>) {
    let caller = waiting.removeValue(forKey: number)  // guard: take-out => let caller = waiting[number]
    caller?.continuation.resume(with: result)
  }
}

// Not guards: keeping and handing over continuations and attempts, without which nobody connects.
