import Observation

/// Awaits the decoder, and takes that for a change of place: it decodes where it is called, on the main
/// actor.
@MainActor @Observable final class NaiveFeed: FeedModel {
  private(set) var screen = FeedScreen()
  @ObservationIgnored private let service: any FeedService
  @ObservationIgnored private let decoder: any FeedDecoder

  init(service: any FeedService, decoder: any FeedDecoder) {
    self.service = service
    self.decoder = decoder
  }

  func load() async {
    screen.phase = .loading
    do {
      let text = try await service.feed()
      screen.posts = try await decoder.posts(in: text)
      screen.phase = .loaded
    } catch {
      screen.phase = .failed
    }
  }

  func scroll() {
    screen.offset += 1
  }
}
