/// Stitches one frame after the other, whether anybody still wants the panorama or not.
struct NaivePanoramaMaker: PanoramaMaker {
  let stitcher: any FrameStitcher

  @concurrent func panorama(of frames: [Frame]) async throws -> Panorama {
    var panorama = Panorama()
    for frame in frames {
      panorama = try await stitcher.stitch(frame, onto: panorama)
    }
    return panorama
  }
}
