import Observation

/// Leaves its task to the view, which cancels it when it goes away and when there is something newer to load.
@MainActor @Observable final class ViewOwnedPlayer: PlayerModel {
  private(set) var screen = PlayerScreen.empty
  private(set) var revision = 0
  @ObservationIgnored private let client: PlayerClient

  init(service: any PlayerService) {
    client = PlayerClient(service: service)
  }

  func task() async {
    guard !Task.isCancelled else { return }
    screen = .loading
    let answer = await client.screen()
    guard !Task.isCancelled else { return }
    screen = answer
  }

  func changed() { revision += 1 }
}
