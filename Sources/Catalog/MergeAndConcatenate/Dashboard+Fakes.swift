import Simulator

extension FakeNetwork: DashboardService {
  nonisolated func forecast() async throws -> String { try await tile("GET /weather") }
  nonisolated func news() async throws -> String { try await tile("GET /news") }
  nonisolated func mail() async throws -> String { try await tile("GET /mail") }

  private nonisolated func tile(_ route: String) async throws -> String {
    try await exchange(route, showing: { .text($0) }) { "edition \($0.number)" }
  }
}

extension FakeStore: DashboardArchive {
  nonisolated func save(_ screen: DashboardScreen) async throws {
    try await write(screen, for: "dashboard")
  }
}

extension DashboardScreen {
  var shown: Trace.Value {
    .record([
      .init("weather", .text(weather)), .init("news", .text(news)), .init("mail", .text(mail)),
      .init("saved", .bool(isSaved)), .init("failed", .bool(hasFailed)),
    ])
  }
}
