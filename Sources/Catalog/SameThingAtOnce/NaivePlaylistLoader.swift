/// Sends a request for each caller.
actor NaivePlaylistLoader: PlaylistSource {
  private let service: any PlaylistService
  private let store: any PlaylistStore

  init(service: any PlaylistService, store: any PlaylistStore) {
    self.service = service
    self.store = store
  }

  func playlist() async throws -> Playlist {
    let playlist = try await service.fetchPlaylist()
    try await store.save(playlist)
    return playlist
  }
}
