import Observation

/// Puts the decoding into a task, which inherits the main actor.
@MainActor @Observable final class PublishedFeed: FeedModel {
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
      screen.posts = try await Task { [decoder] in try await decoder.posts(in: text) }.value
      screen.phase = .loaded
    } catch {
      screen.phase = .failed
    }
  }

  func scroll() {
    screen.offset += 1
  }
}
