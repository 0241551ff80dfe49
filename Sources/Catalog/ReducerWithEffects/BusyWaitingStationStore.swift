import Observation

/// Handles one action at a time: the next one yields until the effect of the last is done.
@MainActor @Observable final class BusyWaitingStationStore: StationStore {
  private(set) var screen = StationScreen()
  @ObservationIgnored private var isBusy = false
  @ObservationIgnored private let reducer: StationReducer

  init(reducer: StationReducer) {
    self.reducer = reducer
  }

  func send(_ action: StationAction) {
    Task {
      while isBusy { await Task.yield() }
      isBusy = true
      await handle(action)
      isBusy = false
    }
  }

  func close() {}

  private func handle(_ action: StationAction) async {
    guard let effect = reducer.reduce(&screen, action) else { return }
    _ = reducer.reduce(&screen, await effect())
  }
}
