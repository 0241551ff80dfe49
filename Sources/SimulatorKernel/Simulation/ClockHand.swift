internal import SimulatorCore

/// The time of a clock that is advanced by hand, and the tasks that sleep on it.
final class ClockHand: Sendable {
  private struct Sleeper {
    let id: Int
    let deadline: VirtualInstant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = VirtualInstant.start
    var ids = 0
    /// Sorted by deadline, and those with equal deadlines in the order in which they came.
    var sleepers: [Sleeper] = []
    /// The sleepers that were cancelled before they slept.
    var cancelled: Set<Int> = []
    var waiters: [Waiter] = []
  }

  private let state = Guarded(State())

  var now: VirtualInstant { state.withLock(\.now) }
  var nextDeadline: VirtualInstant? { state.withLock { $0.sleepers.first?.deadline } }

  func sleep(until deadline: VirtualInstant) async throws {
    try Questions.checkCancellation()
    let id = state.withLock { state in
      state.ids += 1
      return state.ids
    }
    // If the sleeper has been woken already, a later cancellation finds no sleeper to wake and leaves its number here.
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    Questions.willAddHandler()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Moves the time to `instant`, but never back, and wakes the sleepers whose deadline has come.
  func move(to instant: VirtualInstant) {
    let woken = state.withLock { state in
      state.now = max(state.now, instant)
      let due = state.sleepers.prefix { $0.deadline <= state.now }
      state.sleepers.removeFirst(due.count)
      return Array(due)
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  func sleepers(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        let isMet = state.sleepers.count >= count
        if !isMet { state.waiters.append(Waiter(count: count, continuation: continuation)) }
        return isMet
      }
      if isMet { continuation.resume() }
    }
  }

  private enum Fate { case due, cancelled, sleeps }

  private func add(_ sleeper: Sleeper) {
    let (fate, met) = state.withLock { state -> (Fate, [Waiter]) in
      if state.cancelled.remove(sleeper.id) != nil { return (.cancelled, []) }
      if sleeper.deadline <= state.now { return (.due, []) }
      let place = state.sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? state.sleepers.endIndex
      state.sleepers.insert(sleeper, at: place)
      let count = state.sleepers.count
      let met = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return (.sleeps, met)
    }
    switch fate {
    case .due: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    case .sleeps: break
    }
    for waiter in met { waiter.continuation.resume() }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
