import Observation

/// All actions go through one stream, which has one consumer. The effects run beside it, and nobody keeps
/// them.
@MainActor @Observable final class StreamStationStore: StationStore {
  private(set) var screen = StationScreen()
  @ObservationIgnored private let actions: AsyncStream<StationAction>.Continuation
  @ObservationIgnored private let reducer: StationReducer

  init(reducer: StationReducer) {
    self.reducer = reducer
    let (stream, actions) = AsyncStream.makeStream(of: StationAction.self)
    self.actions = actions
    Task {
      for await action in stream { handle(action) }
    }
  }

  nonisolated func send(_ action: StationAction) {
    actions.yield(action)
  }

  func close() {
    actions.finish()
  }

  private func handle(_ action: StationAction) {
    guard let effect = reducer.reduce(&screen, action) else { return }
    Task { send(await effect()) }
  }
}
