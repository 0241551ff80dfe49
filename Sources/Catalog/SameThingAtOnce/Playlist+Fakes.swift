import Simulator

extension FakeNetwork: PlaylistService {
  nonisolated func fetchPlaylist() async throws -> Playlist {
    try await exchange("GET /playlist", showing: \.shown) { request in
      Playlist(titles: ["Intro", "Take \(request.number)"])
    }
  }
}

extension FakeStore: PlaylistStore {
  nonisolated func save(_ playlist: Playlist) async throws {
    try await write(playlist, for: "playlist")
  }
}

extension Playlist {
  var shown: Trace.Value { .list(titles.map { .text($0) }) }
}

extension PlaylistScreen {
  var shown: Trace.Value {
    switch self {
    case .empty: "empty"
    case .loading: "loading"
    case .loaded(let playlist): playlist.shown
    case .failed: "failed"
    }
  }
}
