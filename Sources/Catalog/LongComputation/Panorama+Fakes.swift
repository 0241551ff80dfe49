import Simulator

extension FakeDecoder: FrameStitcher {
  func stitch(_ frame: Frame, onto panorama: Panorama) async throws -> Panorama {
    try await work("stitch", .int(frame.number)) { _ in Panorama(frames: panorama.frames + [frame]) }
  }
}

extension PanoramaScreen {
  var shown: Trace.Value {
    switch self {
    case .empty: "empty"
    case .stitching: "stitching"
    case .finished(let panorama): .text("\(panorama.frames.count) frames")
    case .failed: "failed"
    }
  }
}
