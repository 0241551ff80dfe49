import Simulator

extension FakeNetwork: StationService {
  nonisolated func stations(startingWith query: String) async throws -> [String] {
    try await exchange("GET /stations", .text(query), showing: \.shownAsStations) { _ in
      ["sargans", "spiez", "sursee", "susten"].filter { $0.hasPrefix(query) }
    }
  }
}

extension StationScreen {
  var shown: Trace.Value {
    .record([
      .init("query", .text(query)), .init("stations", stations.shownAsStations),
      .init("failed", .bool(hasFailed)),
    ])
  }
}

extension [String] {
  fileprivate var shownAsStations: Trace.Value { .list(map { .text($0) }) }
}
