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
  /// How the last attempt ended that was not cancelled.
  @ObservationIgnored private var settled = Screen.disconnected
  @ObservationIgnored private let connector: any HeadphonesConnector

  init(connector: any HeadphonesConnector) {
    self.connector = connector
  }

  func connect() async throws {
    screen = .connecting
    defer { screen = settled }
    do {
      try await connector.connect()
      settled = .connected
    } catch {
      if !(error is CancellationError) { settled = .failed }
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
