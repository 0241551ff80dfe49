import Simulator

extension FakeNetwork: PlayerService {
  /// The n-th request gets the n-th edition of the player.
  nonisolated func player() async throws -> Player {
    try await exchange("GET /player", showing: { .text($0.name) }) { request in
      Player(name: "Ada, edition \(request.number)")
    }
  }
}

extension PlayerScreen {
  var shown: Trace.Value {
    switch self {
    case .empty: "empty"
    case .loading: "loading"
    case .loaded(let player): .text(player.name)
    case .failed: "failed"
    }
  }
}
