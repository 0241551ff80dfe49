import Observation

/// The main actor puts one action after the other through the reducer; the effects run side by side, and
/// whichever is last to finish wins.
@MainActor @Observable final class OnMainStationStore: StationStore {
  private(set) var screen = StationScreen()
  @ObservationIgnored private let reducer: StationReducer

  init(reducer: StationReducer) {
    self.reducer = reducer
  }

  func send(_ action: StationAction) {
    guard let effect = reducer.reduce(&screen, action) else { return }
    Task { send(await effect()) }
  }

  func close() {}
}
