/// Copies the shelf, awaits the thumbnail, and puts the copy back over what the others have made of it
/// meanwhile.
actor NaiveThumbnailCache: ThumbnailCache {
  private(set) var shelf: Shelf
  private let loader: any ThumbnailLoader

  init(_ shelf: Shelf, loader: any ThumbnailLoader) {
    self.shelf = shelf
    self.loader = loader
  }

  func thumbnail(of photo: String) async throws -> Thumbnail {
    if let thumbnail = shelf[photo] { return thumbnail }
    var newer = shelf
    if newer.isFull { newer.removeOldest() }
    let thumbnail = try await loader.thumbnail(of: photo)
    newer.add(thumbnail)
    shelf = newer
    return thumbnail
  }
}
