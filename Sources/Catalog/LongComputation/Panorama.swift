import Observation

/// A picture of the camera's.
struct Frame: Hashable, Sendable {
  let number: Int
}

/// Frames stitched together.
struct Panorama: Hashable, Sendable {
  var frames: [Frame] = []
}

/// Stitches frames together, which takes long.
protocol PanoramaMaker: Sendable {
  func panorama(of frames: [Frame]) async throws -> Panorama
}

/// What the panorama screen shows.
enum PanoramaScreen: Hashable, Sendable {
  case empty, stitching, finished(Panorama), failed
}

/// The model behind the screen.
@MainActor @Observable final class PanoramaModel {
  private(set) var screen = PanoramaScreen.empty
  @ObservationIgnored private var stitches = Loads(PanoramaScreen.empty)
  @ObservationIgnored private let maker: any PanoramaMaker

  init(maker: any PanoramaMaker) {
    self.maker = maker
  }

  func stitch(_ frames: [Frame]) async throws {
    let stitch = stitches.begin()
    screen = .stitching
    defer { screen = stitches.isLoading ? .stitching : stitches.settled }
    do {
      stitches.end(stitch, with: .finished(try await maker.panorama(of: frames)))
    } catch {
      stitches.end(stitch, with: error is CancellationError ? nil : .failed)
      throw error
    }
  }
}

// MARK: - Seams

protocol FrameStitcher: Sendable {
  /// Takes its time, wherever it is called, and does not look up meanwhile.
  func stitch(_ frame: Frame, onto panorama: Panorama) async throws -> Panorama
}
