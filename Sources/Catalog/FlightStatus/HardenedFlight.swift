import Observation

/// Never shows an older flight over a newer one. The task that loads ends with the screen, and looks after each wait
/// whether it is still wanted.
@MainActor @Observable final class HardenedFlightModel: FlightModel {
  private(set) var screen = FlightScreen()
  @ObservationIgnored private var loading: Task<Void, Never>?
  @ObservationIgnored private let client: any FlightClient
  @ObservationIgnored private let store: any FlightStore

  init(client: any FlightClient, store: any FlightStore) {
    self.client = client
    self.store = store
  }

  func appear() {
    guard loading == nil else { return }
    screen.phase = .loading
    loading = Task { await load() }
  }

  func disappear() {
    loading?.cancel()  // guard: load-ends-with-screen
    loading = nil
  }

  /// A screen that is gone is not changed; it will read what is saved.
  func receive(_ push: Flight) async throws {
    if loading != nil { show(push, as: screen.phase) }
    try await store.save(push)
  }

  private func load() async {
    async let kept: Void = showKept()
    do {
      let flight = try await client.flight()
      guard !Task.isCancelled else { return }  // guard: nothing-after-leaving
      show(flight, as: .ready)
      // What was kept has been read before it is replaced.
      await kept
      try await save(flight)
    } catch {
      await kept
      guard !Task.isCancelled else { return }  // guard: nothing-after-leaving
      screen.phase = .failed
    }
  }

  /// What is kept is shown while the airline is asked. What can't be read is not worth a failure: the airline knows better.
  private func showKept() async {
    let kept = try? await store.flight()
    guard !Task.isCancelled else { return }  // guard: nothing-after-leaving
    if let kept { show(kept, as: screen.phase) }
  }

  /// A flight that is no longer shown need not be kept.
  private func save(_ flight: Flight) async throws {
    do {
      try await store.save(flight)
    } catch {
      if screen.flight == flight { throw error }
    }
  }

  private func show(_ flight: Flight, as phase: FlightScreen.Phase) {
    screen.phase = phase
    if let shown = screen.flight, shown.version > flight.version { return }  // guard: newest-is-shown
    screen.flight = flight
  }
}

/// One new token for all whose token was refused, and only in place of the one that was.
actor HardenedFlightClient: FlightClient {
  private var token = "token 0"
  private var refreshing: Task<Void, any Error>?
  private let airline: any Airline

  init(airline: any Airline) {
    self.airline = airline
  }

  func flight() async throws -> Flight {
    let used = token
    do {
      return try await airline.flight(token: used)
    } catch is TokenRefused {
      try await replace(used)
      return try await airline.flight(token: token)
    }
  }

  private func replace(_ refused: String) async throws {
    guard refused == token else { return }
    if refreshing == nil { refresh() }  // guard: one-refresh => refresh()
    try await refreshing?.value
  }

  /// The task belongs to no caller: one who leaves does not take the new token from the others.
  private func refresh() {
    refreshing = Task {
      defer { refreshing = nil }
      token = try await airline.newToken()
    }
  }
}

/// Brings over what the last version of the app has kept, as a whole and together with the tidying up. An older flight never
/// replaces a newer one.
actor HardenedFlightStore: FlightStore {
  private let disk: any FlightDisk

  init(disk: any FlightDisk) {
    self.disk = disk
  }

  func flight() async throws -> Flight? {
    try await disk.change { $0.migrate() }.flight
  }

  func save(_ flight: Flight) async throws {
    _ = try await disk.change { records in
      records.migrate()
      if let kept = records.flight, kept.version > flight.version { return }  // guard: newest-is-kept
      records.flight = flight
    }
  }
}

extension FlightRecords {
  fileprivate mutating func migrate() {
    guard let gate = oldGate else { return }
    self = FlightRecords(oldGate: nil, flight: flight ?? Flight(version: 0, gate: gate))
  }
}

// Not guards: where the task is kept; the one token that all wait for, and trying again with it; a refusal of a token that
// has been replaced; bringing over what the last version of the app has kept, and the transaction in which it is done.
