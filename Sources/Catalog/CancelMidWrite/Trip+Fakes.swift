import Simulator

extension FakeStore: TripDisk {
  nonisolated func stops() async throws -> [Stop] {
    try await readAll(as: Stop.self, showing: { $0.values.sorted { $0.id < $1.id }.shown })
      .values.sorted { $0.id < $1.id }
  }

  nonisolated func write(_ stop: Stop) async throws {
    try await write(stop, for: stop.id)
  }

  nonisolated func replaceAll(with stops: [Stop]) async throws {
    try await transaction(stops.map { .set($0.id, $0) })
  }
}

extension [Stop] {
  var shown: Trace.Value { .list(map { .text("\($0.id) day \($0.day)") }) }
}
