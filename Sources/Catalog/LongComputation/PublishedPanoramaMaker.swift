/// Looks before each frame whether it has been cancelled, but in a task of its own, which nobody cancels.
struct PublishedPanoramaMaker: PanoramaMaker {
  let stitcher: any FrameStitcher

  func panorama(of frames: [Frame]) async throws -> Panorama {
    try await Task.detached(priority: .userInitiated) { [stitcher] in
      var panorama = Panorama()
      for frame in frames {
        try Task.checkCancellation()
        panorama = try await stitcher.stitch(frame, onto: panorama)
      }
      return panorama
    }.value
  }
}
