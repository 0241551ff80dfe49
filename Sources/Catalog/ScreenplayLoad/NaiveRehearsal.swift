import Observation

/// Takes what it can get: a call that does not come through leaves its part empty. A cancel empties all that
/// is left.
@MainActor @Observable final class NaiveRehearsal: RehearsalModel {
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
      let scenes = try? await parser.lines(of: service.scenes())
      let cast = try? await parser.lines(of: service.cast())
      try await store.save(Screenplay(title: title, scenes: scenes ?? [], cast: cast ?? []))
      screen = .ready
    } catch {
      screen = .failed
    }
  }
}
