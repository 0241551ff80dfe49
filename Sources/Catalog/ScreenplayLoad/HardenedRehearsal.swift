import Observation

/// Lets every error through, parses off the main actor, and asks before the write whether it is still wanted.
/// A cancel leaves the disk as it was, and the screen as if nobody had asked.
@MainActor @Observable final class HardenedRehearsal: RehearsalModel {
  private(set) var screen = RehearsalScreen.idle
  @ObservationIgnored private let service: any ScreenplayService
  @ObservationIgnored private let parser: any ScreenplayParser
  @ObservationIgnored private let store: any ScreenplayStore

  init(service: any ScreenplayService, parser: any ScreenplayParser, store: any ScreenplayStore) {
    self.service = service
    self.parser = parser
    self.store = store
  }

  func load() async {
    screen = .loading
    do {
      let screenplay = try await Self.screenplay(from: service, parsedBy: parser)
      try Task.checkCancellation()  // guard: no-save-when-cancelled
      try await store.save(screenplay)
      screen = .ready
    } catch {
      screen = Task.isCancelled ? .idle : .failed  // guard: cancel-is-not-failure => screen = .failed
    }
  }

  @concurrent  // guard: parse-off-the-main-actor
  private nonisolated static func screenplay(
    from service: any ScreenplayService, parsedBy parser: any ScreenplayParser
  ) async throws -> Screenplay {
    Screenplay(
      title: try await service.title(), scenes: try await parser.lines(of: service.scenes()),
      cast: try await parser.lines(of: service.cast()))
  }
}

// Not guards: the function that the marked line takes off the main actor.
