import Observation

/// Decodes on the concurrent pool, and comes back with values. What an older load brings is no longer shown, and neither is its
/// failure.
@MainActor @Observable final class HardenedFeed: FeedModel {
  private(set) var screen = FeedScreen()
  @ObservationIgnored private var loads = 0
  @ObservationIgnored private var settled = FeedScreen.Phase.idle
  @ObservationIgnored private let service: any FeedService
  @ObservationIgnored private let decoder: any FeedDecoder

  init(service: any FeedService, decoder: any FeedDecoder) {
    self.service = service
    self.decoder = decoder
  }

  func load() async {
    loads += 1
    let number = loads
    screen.phase = .loading
    do {
      let text = try await service.feed()
      let posts = try await Self.posts(in: text, decodedBy: decoder)
      guard number == loads else { return }  // guard: latest-load
      screen.posts = posts
      settled = .loaded
    } catch {
      guard number == loads else { return }  // guard: latest-load
      if !Task.isCancelled { settled = .failed }  // guard: cancel-is-not-failure => settled = .failed
    }
    screen.phase = settled
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

// Not guards: the function that the marked line takes off the main actor, the number of each load, and what the
// screen says when nothing is under way.
