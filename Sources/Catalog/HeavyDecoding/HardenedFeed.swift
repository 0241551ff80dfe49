import Observation

/// Decodes on the concurrent pool, and comes back with values. What an older load brings is no longer shown, and neither is its
/// failure.
@MainActor @Observable final class HardenedFeed: FeedModel {
  private(set) var screen = FeedScreen()
  @ObservationIgnored private var loads = Loads(FeedScreen.Phase.idle)
  @ObservationIgnored private let client: FeedClient
  @ObservationIgnored private let decoder: any FeedDecoder

  init(service: any FeedService, decoder: any FeedDecoder) {
    client = FeedClient(service: service)
    self.decoder = decoder
  }

  func load() async {
    let load = loads.begin()
    screen.phase = .loading
    do {
      let posts = try await Self.posts(in: client.feed(), decodedBy: decoder)
      // undone: loads.end(load, with: .loaded); screen.posts = posts
      if loads.end(load, with: .loaded) { screen.posts = posts }  // guard: latest-load
    } catch {
      // undone: loads.end(load, with: .failed)
      loads.end(load, with: Task.isCancelled ? nil : .failed)  // guard: cancel-is-not-failure
    }
    screen.phase = loads.isLoading ? .loading : loads.settled
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

/// Owns the network: requests are sent in the order in which they are asked for, and not on the main actor's time.
actor FeedClient {
  private let service: any FeedService

  init(service: any FeedService) {
    self.service = service
  }

  func feed() async throws -> String {
    try await service.feed()
  }
}

// Not guards: the client; the function that the marked line takes off the main actor, and what the screen says when two loads
// overlap.
