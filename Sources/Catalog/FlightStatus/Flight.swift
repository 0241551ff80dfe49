import Observation

/// A flight, as the airline knows it at some time.
struct Flight: Hashable, Sendable {
  /// How often it has been changed: the higher one is the newer.
  let version: Int
  let gate: String
}

/// What the screen of the flight shows.
struct FlightScreen: Hashable, Sendable {
  enum Phase: String, Sendable {
    case empty, loading, ready, failed
  }

  var phase = Phase.empty
  var flight: Flight?
}

/// What is kept on the device.
struct FlightRecords: Hashable, Sendable {
  /// What the last version of the app has kept.
  var oldGate: String?
  var flight: Flight?
}

// MARK: - Layers, from the top

/// The model behind the screen, which comes and goes with it.
@MainActor protocol FlightModel: AnyObject {
  var screen: FlightScreen { get }
  func appear()
  func disappear()
  /// A push has come: the flight was changed.
  func receive(_ push: Flight) async throws
}

/// What the app asks for the flight.
protocol FlightClient: Actor {
  func flight() async throws -> Flight
}

/// What keeps the flight on the device.
protocol FlightStore: Actor {
  func flight() async throws -> Flight?
  func save(_ flight: Flight) async throws
}

// MARK: - Seams

protocol Airline: Sendable {
  /// Throws ``TokenRefused`` when the token is not taken any more.
  func flight(token: String) async throws -> Flight
  func newToken() async throws -> String
}

protocol FlightDisk: Sendable {
  func oldGate() async throws -> String?
  func forgetOldGate() async throws
  func flight() async throws -> Flight?
  func write(_ flight: Flight) async throws
  /// All that `change` changes, or nothing; answers what is there then.
  func change(_ change: @escaping @Sendable (inout FlightRecords) -> Void) async throws -> FlightRecords
}

/// The airline does not take the token any more.
struct TokenRefused: Error {}
