import Observation

/// Starts a load whenever there is a reason to. Nobody owns it: it goes on when the screen goes away, and
/// beside the next one when it comes back.
@MainActor @Observable final class NaivePlayer: PlayerModel {
  private(set) var screen = PlayerScreen.empty
  @ObservationIgnored private let service: any PlayerService

  init(service: any PlayerService) {
    self.service = service
  }

  func appear() { load() }

  func changed() { load() }

  private func load() {
    Task {
      screen = .loading
      screen = await service.screen()
    }
  }
}
