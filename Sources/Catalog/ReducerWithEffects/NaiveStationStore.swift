import Observation

/// Sends from anywhere, each action in a task of its own.
@MainActor @Observable final class NaiveStationStore: StationStore {
  private(set) var screen = StationScreen()
  @ObservationIgnored private let reducer: StationReducer

  init(reducer: StationReducer) {
    self.reducer = reducer
  }

  nonisolated func send(_ action: StationAction) {
    Task { await handle(action) }
  }

  func close() {}

  private func handle(_ action: StationAction) {
    guard let effect = reducer.reduce(&screen, action) else { return }
    Task { send(await effect()) }
  }
}
