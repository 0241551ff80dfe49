/// Shares what is being loaded, and touches the shelf only when the thumbnail is there: makes room and fills
/// it in one step. A load goes on although its caller lost interest: the shelf is for all.
actor HardenedThumbnailCache: ThumbnailCache {
  private(set) var shelf: Shelf
  private var loading: [String: Task<Thumbnail, any Error>] = [:]
  private let loader: any ThumbnailLoader

  init(_ shelf: Shelf, loader: any ThumbnailLoader) {
    self.shelf = shelf
    self.loader = loader
  }

  func thumbnail(of photo: String) async throws -> Thumbnail {
    if let thumbnail = shelf[photo] { return thumbnail }
    if let load = loading[photo] { return try await load.shared }  // guard: one-load-a-photo
    let load = Task { try await loadAndShelve(photo) }
    loading[photo] = load
    return try await load.shared
  }

  private func loadAndShelve(_ photo: String) async throws -> Thumbnail {
    defer { loading[photo] = nil }
    let thumbnail = try await loader.thumbnail(of: photo)
    if shelf.isFull { shelf.removeOldest() }  // guard: room-in-the-same-step
    shelf.add(thumbnail)
    return thumbnail
  }
}

// Not guards: the record of what is loading, which its guard reads; that it forgets what has loaded lets a
// photo be loaded again once it was evicted, which no scenario asks for.
