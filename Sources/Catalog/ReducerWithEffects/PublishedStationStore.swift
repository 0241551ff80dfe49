import Observation

/// An executor of its own takes one action after the other from a stream, which has one consumer. The effects run side by side
/// in tasks of their own, and send what they bring through the stream. With the screen the stream ends, and nothing is ever
/// cancelled.
@MainActor @Observable final class PublishedStationStore: StationStore {
  private(set) var screen = StationScreen()
  @ObservationIgnored private let executor = StreamExecutor()
  @ObservationIgnored private let reducer: StationReducer

  init(reducer: StationReducer) {
    self.reducer = reducer
    let executor = executor
    Task {
      await executor.consume { [self] action in self.reducer.reduce(&screen, action) }
    }
  }

  func send(_ action: StationAction) {
    executor.send(action)
  }

  func close() {
    executor.finish()
  }
}

private actor StreamExecutor {
  private let actions: AsyncStream<StationAction>
  private nonisolated let continuation: AsyncStream<StationAction>.Continuation

  init() {
    (actions, continuation) = AsyncStream.makeStream(of: StationAction.self)
  }

  nonisolated func send(_ action: StationAction) {
    continuation.yield(action)
  }

  nonisolated func finish() {
    continuation.finish()
  }

  func consume(_ reduce: @MainActor @Sendable (StationAction) -> StationEffect?) async {
    for await action in actions {
      guard let effect = await reduce(action) else { continue }
      Task { send(await effect()) }
    }
  }
}
