import Observation

/// An executor takes one action after the other, and the next one only when the effect of the last is done.
@MainActor @Observable final class OneAtATimeStationStore: StationStore {
  private(set) var screen = StationScreen()
  @ObservationIgnored private let executor = EffectExecutor()
  @ObservationIgnored private let reducer: StationReducer

  init(reducer: StationReducer) {
    self.reducer = reducer
  }

  func send(_ action: StationAction) {
    Task {
      await executor.run(action) { self.reducer.reduce(&self.screen, $0) }
    }
  }

  func close() {}
}

private actor EffectExecutor {
  private var waiting: [StationAction] = []
  private var isRunning = false

  func run(_ action: StationAction, reduce: @MainActor (StationAction) -> StationEffect?) async {
    waiting.append(action)
    guard !isRunning else { return }
    isRunning = true
    while !waiting.isEmpty {
      guard let effect = await reduce(waiting.removeFirst()) else { continue }
      waiting.insert(await effect(), at: 0)
    }
    isRunning = false
  }
}
