import Observation

/// The main actor puts one action after the other through the reducer. A newer effect cancels the older one,
/// and what that may still bring is dropped.
@MainActor @Observable final class HardenedStationStore: StationStore {
  private(set) var screen = StationScreen()
  @ObservationIgnored private var inFlight: Task<Void, Never>?
  @ObservationIgnored private var isClosed = false
  @ObservationIgnored private let reducer: StationReducer

  init(reducer: StationReducer) {
    self.reducer = reducer
  }

  func send(_ action: StationAction) {
    guard !isClosed else { return }  // guard: closed-is-closed
    guard let effect = reducer.reduce(&screen, action) else { return }
    inFlight?.cancel()  // guard: newer-cancels-older
    inFlight = Task {
      let outcome = await effect()
      guard !Task.isCancelled else { return }  // guard: no-action-when-cancelled
      send(outcome)
    }
  }

  func close() {
    isClosed = true
    inFlight?.cancel()  // guard: cancelled-with-screen
  }
}

// Not guards: the one way in, that it is closed, and the task that the guards cancel and ask.
