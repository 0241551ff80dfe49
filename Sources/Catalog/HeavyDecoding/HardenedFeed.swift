import Observation

/// Decodes on the concurrent pool, and comes back with values.
@MainActor @Observable final class HardenedFeed: FeedModel {
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
      screen.posts = try await Self.posts(in: text, decodedBy: decoder)
      screen.phase = .loaded
    } catch {
      screen.phase = .failed
    }
  }

  func scroll() {
    screen.offset += 1
  }

  @concurrent  // guard: off-the-main-actor
  private nonisolated static func posts(
    in text: String, decodedBy decoder: any FeedDecoder
  ) async throws -> [Post] {
    try await decoder.posts(in: text)
  }
}

// Not guards: the function that the marked line takes off the main actor.
