import Observation

/// Shows and saves whatever comes, in the order in which it comes. Nobody keeps the task that loads.
@MainActor @Observable final class NaiveFlightModel: FlightModel {
  private(set) var screen = FlightScreen()
  @ObservationIgnored private let client: any FlightClient
  @ObservationIgnored private let store: any FlightStore

  init(client: any FlightClient, store: any FlightStore) {
    self.client = client
    self.store = store
  }

  func appear() {
    Task { await load() }
  }

  func disappear() {}

  func receive(_ push: Flight) async throws {
    screen.flight = push
    try await store.save(push)
  }

  private func load() async {
    screen.phase = .loading
    do {
      screen.flight = try await store.flight()
      let flight = try await client.flight()
      screen.flight = flight
      try await store.save(flight)
      screen.phase = .ready
    } catch {
      screen.phase = .failed
    }
  }
}

/// Whoever has the token refused gets a new one.
actor NaiveFlightClient: FlightClient {
  private var token = "token 0"
  private let airline: any Airline

  init(airline: any Airline) {
    self.airline = airline
  }

  func flight() async throws -> Flight {
    do {
      return try await airline.flight(token: token)
    } catch is TokenRefused {
      token = try await airline.newToken()
      return try await airline.flight(token: token)
    }
  }
}

/// Brings over what the last version of the app has kept when it is first asked for something. To tidy up can wait.
actor NaiveFlightStore: FlightStore {
  private var isMigrated = false
  private let disk: any FlightDisk

  init(disk: any FlightDisk) {
    self.disk = disk
  }

  func flight() async throws -> Flight? {
    try await migrate()
    return try await disk.flight()
  }

  func save(_ flight: Flight) async throws {
    try await migrate()
    try await disk.write(flight)
  }

  private func migrate() async throws {
    guard !isMigrated else { return }
    if let gate = try await disk.oldGate() {
      try await disk.write(Flight(version: 0, gate: gate))
      Task { try? await disk.forgetOldGate() }
    }
    isMigrated = true
  }
}
