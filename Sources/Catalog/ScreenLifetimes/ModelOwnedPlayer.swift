import Observation

/// Keeps its task, cancels it with the screen and when there is something newer to load, and loads nothing
/// while the screen is away.
@MainActor @Observable final class ModelOwnedPlayer: PlayerModel {
  private(set) var screen = PlayerScreen.empty
  @ObservationIgnored private var isVisible = false
  @ObservationIgnored private var loading: Task<Void, Never>?
  @ObservationIgnored private let client: PlayerClient

  init(service: any PlayerService) {
    client = PlayerClient(service: service)
  }

  func appear() {
    isVisible = true
    load()
  }

  func disappear() {
    isVisible = false
    loading?.cancel()
  }

  func changed() {
    guard isVisible else { return }
    load()
  }

  private func load() {
    loading?.cancel()
    screen = .loading
    loading = Task {
      let answer = await client.screen()
      guard !Task.isCancelled else { return }
      screen = answer
    }
  }
}
