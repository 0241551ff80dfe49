import Observation

/// A photo, made small.
struct Thumbnail: Hashable, Sendable {
  let photo: String
}

/// What a cache holds at a time. Never changes: with each thumbnail that comes in there is a newer one.
struct Shelf: Hashable, Sendable {
  let capacity: Int
  private(set) var version = 0
  /// The oldest first.
  private(set) var thumbnails: [Thumbnail] = []

  init(capacity: Int) {
    self.capacity = capacity
  }

  var isFull: Bool { thumbnails.count >= capacity }

  subscript(photo: String) -> Thumbnail? { thumbnails.first { $0.photo == photo } }

  mutating func removeOldest() { thumbnails.removeFirst() }

  mutating func add(_ thumbnail: Thumbnail) {
    thumbnails.append(thumbnail)
    version += 1
  }
}

/// Owns the shelf; a task that wants a thumbnail awaits it.
protocol ThumbnailCache: Actor {
  var shelf: Shelf { get }
  func thumbnail(of photo: String) async throws -> Thumbnail
}

/// The model behind the gallery, of which each cell asks for its own photo.
@MainActor @Observable final class GalleryModel {
  private(set) var shelf: Shelf
  @ObservationIgnored private let cache: any ThumbnailCache

  init(_ shelf: Shelf, cache: any ThumbnailCache) {
    self.shelf = shelf
    self.cache = cache
  }

  func show(_ photo: String) async throws {
    _ = try await cache.thumbnail(of: photo)
    // Nothing between reading and showing: what is read in this order comes back in this order.
    shelf = await cache.shelf
  }
}

// MARK: - Seams

protocol ThumbnailLoader: Sendable {
  func thumbnail(of photo: String) async throws -> Thumbnail
}
