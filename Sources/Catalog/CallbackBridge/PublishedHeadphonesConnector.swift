/// Passes the cancel on and leaves it to the callback to resume.
actor PublishedHeadphonesConnector: HeadphonesConnector {
  private var attempt: (any ConnectionAttempt)?
  private let radio: any HeadphonesRadio

  init(radio: any HeadphonesRadio) {
    self.radio = radio
  }

  func connect() async throws {
    try await withTaskCancellationHandler {
      unsafe try await withUnsafeThrowingContinuation { continuation in
        attempt = radio.connect { unsafe continuation.resume(with: $0) }
      }
    } onCancel: {
      Task { await cancel() }
    }
  }

  private func cancel() {
    attempt?.cancel()
  }
}
