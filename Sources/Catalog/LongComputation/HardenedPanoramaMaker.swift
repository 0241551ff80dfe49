/// Works in its caller's task, off its caller's actor, and looks before each frame whether it is still
/// wanted.
struct HardenedPanoramaMaker: PanoramaMaker {
  let stitcher: any FrameStitcher

  @concurrent func panorama(of frames: [Frame]) async throws -> Panorama {
    var panorama = Panorama()
    for frame in frames {
      try Task.checkCancellation()  // guard: check-between-steps
      panorama = try await stitcher.stitch(frame, onto: panorama)
    }
    return panorama
  }
}
