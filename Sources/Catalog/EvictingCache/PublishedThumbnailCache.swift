/// Shares what is being loaded. Makes room before it awaits the thumbnail, and finds the room taken.
actor PublishedThumbnailCache: ThumbnailCache {
  private(set) var shelf: Shelf
  private var loading: [String: Task<Thumbnail, any Error>] = [:]
  private let loader: any ThumbnailLoader

  init(_ shelf: Shelf, loader: any ThumbnailLoader) {
    self.shelf = shelf
    self.loader = loader
  }

  func thumbnail(of photo: String) async throws -> Thumbnail {
    if let thumbnail = shelf[photo] { return thumbnail }
    if let load = loading[photo] { return try await load.value }
    if shelf.isFull { shelf.removeOldest() }
    let load = Task { try await loader.thumbnail(of: photo) }
    loading[photo] = load
    defer { loading[photo] = nil }
    let thumbnail = try await load.value
    shelf.add(thumbnail)
    return thumbnail
  }
}
