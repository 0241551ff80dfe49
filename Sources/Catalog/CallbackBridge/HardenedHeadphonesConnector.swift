/// Keeps each caller's continuation until somebody takes it out to resume it: the callback or the cancel,
/// whichever comes first. The other finds nothing.
actor HardenedHeadphonesConnector: HeadphonesConnector {
  private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var attempts: [Int: any ConnectionAttempt] = [:]
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
    waiting[number] = continuation
    attempts[number] = radio.connect { result in
      Task { await self.resume(number, with: result) }
    }
  }

  private func cancel(_ number: Int) {
    attempts[number]?.cancel()  // guard: attempt-is-cancelled
    resume(number, with: .failure(CancellationError()))  // guard: cancel-resumes
  }

  private func resume(_ number: Int, with result: Result<Void, any Error>) {
    attempts[number] = nil
    let caller = waiting.removeValue(forKey: number)  // guard: take-out => let caller = waiting[number]
    caller?.resume(with: result)
  }
}

// Not guards: keeping and handing over continuations and attempts, without which nobody connects; that an
// attempt is forgotten when it is over saves memory, which no scenario weighs.
