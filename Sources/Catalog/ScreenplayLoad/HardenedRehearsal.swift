import Observation

/// Lets every error through, parses off the main actor, and asks before the write whether it is still wanted.
/// A cancel leaves the disk as it was, and the screen too.
@MainActor @Observable final class HardenedRehearsal: RehearsalModel {
  private(set) var screen = RehearsalScreen.idle
  @ObservationIgnored private var loads = Loads(RehearsalScreen.idle)
  @ObservationIgnored private let service: any ScreenplayService
  @ObservationIgnored private let parser: any ScreenplayParser
  @ObservationIgnored private let store: any ScreenplayStore

  init(service: any ScreenplayService, parser: any ScreenplayParser, store: any ScreenplayStore) {
    self.service = service
    self.parser = parser
    self.store = store
  }

  func load() async {
    let load = loads.begin()
    screen = .loading
    do {
      let screenplay = try await Self.screenplay(from: service, parsedBy: parser)
      try await Self.save(screenplay, in: store)
      loads.end(load, with: .ready)
    } catch {
      // undone: loads.end(load, with: .failed)
      loads.end(load, with: Task.isCancelled ? nil : .failed)  // guard: cancel-is-not-failure
    }
    screen = loads.isLoading ? .loading : loads.settled
  }

  @concurrent  // guard: off-the-main-actor
  private nonisolated static func save(_ screenplay: Screenplay, in store: any ScreenplayStore) async throws {
    try Task.checkCancellation()  // guard: no-save-when-cancelled
    try await store.save(screenplay)
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

// Not guards: the functions that the marked lines take off the main actor.
