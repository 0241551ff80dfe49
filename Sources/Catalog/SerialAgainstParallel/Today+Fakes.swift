import Simulator

extension FakeNetwork: TodayService {
  nonisolated func weather() async throws -> String {
    try await exchange("GET /weather", showing: { .text($0) }) { _ in "sunny" }
  }

  nonisolated func appointments() async throws -> [String] {
    try await exchange("GET /appointments", showing: { .list($0.map { .text($0) }) }) { _ in ["dentist"] }
  }
}

extension TodayScreen {
  var shown: Trace.Value {
    switch self {
    case .empty: "empty"
    case .loading: "loading"
    case .loaded(let today): .list([.text(today.weather)] + today.appointments.map { .text($0) })
    case .failed: "failed"
    }
  }
}
