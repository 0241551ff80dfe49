import Observation

/// Launches its loads in the scope that its coordinator opens and closes with the screen.
@MainActor @Observable final class HardenedPlayer: PlayerModel {
  private(set) var screen = PlayerScreen.empty
  @ObservationIgnored private let scope = ScreenScope()
  @ObservationIgnored private let client: PlayerClient

  init(service: any PlayerService) {
    client = PlayerClient(service: service)
  }

  var tasks: Int { scope.count }

  func appear() {
    scope.open()
    load()
  }

  func disappear() {
    scope.close()
  }

  func changed() { load() }

  private func load() {
    scope.cancel()  // guard: newer-cancels-older
    scope.launch { [self] in
      screen = .loading
      let answer = await client.screen()
      guard !Task.isCancelled else { return }  // guard: nothing-shown-when-cancelled
      screen = answer
    }
  }
}

// Not guards: the scope through which the marked lines work.
