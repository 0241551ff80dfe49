/// Resumes when the callback comes, and when the caller is cancelled.
actor NaiveHeadphonesConnector: HeadphonesConnector {
  private var attempt: (any ConnectionAttempt)?
  private var completion: ConnectionCallback?
  private let radio: any HeadphonesRadio

  init(radio: any HeadphonesRadio) {
    self.radio = radio
  }

  func connect() async throws {
    try await withTaskCancellationHandler {
      unsafe try await withUnsafeThrowingContinuation { continuation in
        let completion: ConnectionCallback = { unsafe continuation.resume(with: $0) }
        self.completion = completion
        attempt = radio.connect(completion)
      }
    } onCancel: {
      Task { await cancel() }
    }
  }

  private func cancel() {
    attempt?.cancel()
    completion?(.failure(CancellationError()))
  }
}
