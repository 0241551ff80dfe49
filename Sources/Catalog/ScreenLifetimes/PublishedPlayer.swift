import Observation

/// Launches its loads in a scope that is cancelled with the screen.
@MainActor @Observable final class PublishedPlayer: PlayerModel {
  private(set) var screen = PlayerScreen.empty
  @ObservationIgnored private let scope = TaskScope()
  @ObservationIgnored private let service: any PlayerService

  init(service: any PlayerService) {
    self.service = service
  }

  var tasks: Int { scope.tasks.count }

  func appear() { load() }

  func disappear() { scope.cancel() }

  func changed() { load() }

  private func load() {
    scope.cancel()
    scope.launch { [self] in
      guard !Task.isCancelled else { return }
      screen = .loading
      let answer = await service.screen()
      guard !Task.isCancelled else { return }
      screen = answer
    }
  }
}

/// Tasks that are cancelled together and then forgotten. Until then it keeps those that have finished; and after its cancel it
/// takes on new ones.
@MainActor final class TaskScope {
  private(set) var tasks: [Task<Void, Never>] = []

  func launch(_ work: @escaping @MainActor () async -> Void) {
    tasks.append(Task { await work() })
  }

  func cancel() {
    for task in tasks { task.cancel() }
    tasks.removeAll()
  }
}
