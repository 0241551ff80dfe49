/// Keeps the task in flight for the next caller. It belongs to the first asker: when that one is cancelled,
/// so is everybody's answer.
actor PublishedPlaylistLoader: PlaylistSource {
  private var inFlight: Task<Playlist, any Error>?
  private let service: any PlaylistService
  private let store: any PlaylistStore

  init(service: any PlaylistService, store: any PlaylistStore) {
    self.service = service
    self.store = store
  }

  func playlist() async throws -> Playlist {
    if let inFlight { return try await inFlight.value }
    let task = Task {
      let playlist = try await service.fetchPlaylist()
      try await store.save(playlist)
      return playlist
    }
    inFlight = task
    defer { inFlight = nil }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
