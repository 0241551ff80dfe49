import Observation

typealias ConnectionCallback = @Sendable (Result<Void, any Error>) -> Void

/// Connecting as an async function, for the rest of the app.
protocol HeadphonesConnector: Sendable {
  func connect() async throws
}

/// The screen on which the user connects their headphones.
@MainActor @Observable final class HeadphonesModel {
  enum Screen: String, Hashable, Sendable {
    case disconnected, connecting, connected, failed
  }

  private(set) var screen = Screen.disconnected
  @ObservationIgnored private var attempts = Loads(Screen.disconnected)
  @ObservationIgnored private let connector: any HeadphonesConnector

  init(connector: any HeadphonesConnector) {
    self.connector = connector
  }

  func connect() async throws {
    let attempt = attempts.begin()
    screen = .connecting
    defer { screen = attempts.isLoading ? .connecting : attempts.settled }
    do {
      try await connector.connect()
      attempts.end(attempt, with: .connected)
    } catch {
      attempts.end(attempt, with: error is CancellationError ? nil : .failed)
      throw error
    }
  }
}

// MARK: - Seams

/// Calls back on a queue of its own. Whether it also does so for an attempt that was cancelled is its own
/// affair.
protocol HeadphonesRadio: Sendable {
  func connect(_ completion: @escaping ConnectionCallback) -> any ConnectionAttempt
}

protocol ConnectionAttempt: Sendable {
  func cancel()
}
