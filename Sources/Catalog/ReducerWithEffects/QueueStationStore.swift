import Observation

/// Keeps a queue, and handles all that is in it at once.
@MainActor @Observable final class QueueStationStore: StationStore {
  private(set) var screen = StationScreen()
  @ObservationIgnored private var queue: [StationAction] = []
  @ObservationIgnored private let reducer: StationReducer

  init(reducer: StationReducer) {
    self.reducer = reducer
  }

  func send(_ action: StationAction) {
    queue.append(action)
    Task { await drain() }
  }

  func close() {}

  private func drain() async {
    let actions = queue
    queue.removeAll()
    await withTaskGroup { group in
      for action in actions {
        group.addTask { await self.handle(action) }
      }
    }
  }

  private func handle(_ action: StationAction) async {
    guard let effect = reducer.reduce(&screen, action) else { return }
    send(await effect())
  }
}
