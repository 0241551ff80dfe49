import Simulator

extension FakeNetwork: RegionService {
  nonisolated func fetch(_ region: String) async throws {
    try await exchange("GET /region", .text(region)) { _ in }
  }
}

extension RegionScreen {
  var shown: Trace.Value {
    .record(
      statuses.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value.rawValue)) })
  }
}
