import Simulator
import TwinPrograms

extension TwinProgram {
  /// A client dials the addresses of a host one after the other, without waiting for the one before, and takes the first
  /// connection.
  static let connectionRace = TwinProgram(
    "connection race", "a group, timers, cancellation, an actor",
    bug: "A connection that is made while the others are cancelled is dropped, and never closed.",
    deviations: 2
  ) { simulation, twin in
    let host = Host(simulation)
    let connection = try? await connect(to: host, addresses: 4, twin)
    if let connection { await host.close(connection) }
    let open = await host.open
    if !open.isEmpty { simulation.fail("no connection stays open", "open are \(open.sorted())") }
  }
}

private struct Refused: Error {}

private actor Host {
  private(set) var open: Set<Int> = []
  private let simulation: Simulation

  init(_ simulation: Simulation) { self.simulation = simulation }

  nonisolated func dial(_ address: Int) async throws -> Int {
    let latency = simulation.choose(
      .delay, among: [[400, 90, 280], [180, 60, 300], [70, 120], [50, 200]][address])
    try await Task.sleep(for: .milliseconds(latency))
    return try await accept(address)
  }

  func close(_ connection: Int) { open.remove(connection) }

  private func accept(_ address: Int) throws -> Int {
    if address == 3 { throw Refused() }
    open.insert(address)
    return address
  }
}

private func connect(to host: Host, addresses: Int, _ twin: TwinProgram.Twin) async throws -> Int {
  try await withThrowingTaskGroup(of: Int.self) { group in
    for address in 0..<addresses {
      group.addTask {
        try await Task.sleep(for: .milliseconds(100 * address))
        return try await host.dial(address)
      }
    }
    defer { group.cancelAll() }
    while let attempt = await group.nextResult() {
      guard case .success(let connection) = attempt else { continue }
      group.cancelAll()
      if twin == .mended {
        while let late = await group.nextResult() {
          if case .success(let connection) = late { await host.close(connection) }
        }
      }
      return connection
    }
    throw Refused()
  }
}
