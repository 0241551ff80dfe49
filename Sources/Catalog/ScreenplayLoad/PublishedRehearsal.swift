import Observation

/// Lets every error through and leaves the rest to structured concurrency. A cancel that comes while a reply
/// is parsed throws nothing, and the next thing is the write. What does throw is shown as a failure.
@MainActor @Observable final class PublishedRehearsal: RehearsalModel {
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
      let title = try await service.title()
      let scenes = try await parser.lines(of: service.scenes())
      let cast = try await parser.lines(of: service.cast())
      try await store.save(Screenplay(title: title, scenes: scenes, cast: cast))
      screen = .ready
    } catch {
      screen = .failed
    }
  }
}
