import Foundation
import Simulator
import Synchronization

/// The airline, which changes a gate now and then.
final class FakeAirline: Airline, CallRecording {
  private let network: FakeNetwork
  /// Atomic, since the airline's side runs in a step of the network's.
  private let version = Atomic(1)

  init(_ routes: [String: [FakeBehavior]]) {
    network = FakeNetwork(routes, cancellation: URLError(.cancelled))
  }

  var name: String { network.name }
  var calls: [CallRecord] { network.calls }

  /// The gate is changed; answers with the push that says so.
  func changeGate() -> Flight {
    Simulation.current?.declareAccess(to: "airline")
    version.add(1, ordering: .relaxed)
    return flight
  }

  private var flight: Flight {
    Simulation.current?.declareAccess(to: "airline", .read)
    let version = version.load(ordering: .relaxed)
    return Flight(version: version, gate: "A\(version)")
  }

  func flight(token: String) async throws -> Flight {
    try await network.exchange("GET /flight", .text(token), showing: \.shown) { [self] request in
      if request.reply.name == "unauthorized" { throw TokenRefused() }
      return flight
    }
  }

  func newToken() async throws -> String {
    try await network.exchange("POST /token", showing: { .text($0) }) { "token \($0.number)" }
  }
}

extension FakeStore: FlightDisk {
  nonisolated func oldGate() async throws -> String? { try await read("gate", as: String.self) }

  nonisolated func forgetOldGate() async throws { try await write([.remove("gate")]) }

  nonisolated func flight() async throws -> Flight? {
    try await read("flight", as: Flight.self, showing: \.shown)
  }

  nonisolated func write(_ flight: Flight) async throws { try await write(flight, for: "flight") }

  nonisolated func change(
    _ change: @escaping @Sendable (inout FlightRecords) -> Void
  ) async throws -> FlightRecords {
    try await transaction { transaction in
      var records = FlightRecords(
        oldGate: try transaction.read("gate", as: String.self),
        flight: try transaction.read("flight", as: Flight.self))
      let before = records
      change(&records)
      if let flight = records.flight, flight != before.flight { transaction.write(flight, for: "flight") }
      if records.oldGate == nil, before.oldGate != nil { transaction.remove("gate") }
      return records
    }
  }
}

extension Flight {
  var shown: Trace.Value { .record(fields) }
  var fields: [Trace.Value.Field] { [.init("version", .int(version)), .init("gate", .text(gate))] }
}

extension FlightRecords {
  /// Of a record that is not there, nothing.
  var shown: Trace.Value {
    .record((oldGate.map { [.init("old", .text($0))] } ?? []) + (flight?.fields ?? []))
  }
}

extension FlightScreen {
  var shown: Trace.Value { .record([.init("phase", .text(phase.rawValue))] + (flight?.fields ?? [])) }
}
