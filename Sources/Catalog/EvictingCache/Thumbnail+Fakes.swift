import Simulator

extension FakeNetwork: ThumbnailLoader {
  nonisolated func thumbnail(of photo: String) async throws -> Thumbnail {
    try await exchange("GET /thumbnail", .text(photo), showing: { .text($0.photo) }) { _ in
      Thumbnail(photo: photo)
    }
  }
}

extension Shelf {
  var shown: Trace.Value {
    .record([.init("version", .int(version)), .init("thumbnails", .list(thumbnails.map { .text($0.photo) }))])
  }
}
