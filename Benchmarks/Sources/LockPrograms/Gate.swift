import Simulator
import Synchronization

extension LockProgram {
  /// A task passes the gate twice.
  static let gate = LockProgram(
    "cancellable gate", .mutex,
    "`open` wakes the waiters before it notes that the gate is open: a task that comes meanwhile waits for ever."
  ) { _, twin in
    let gate = Gate(twin)
    let visitor = Task {
      try? await gate.pass()
      try? await gate.pass()
    }
    let opener = Task { gate.open() }
    await opener.value
    await visitor.value
  }
}

private final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var lastID = 0
    var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let state = Mutex(State())
  private let twin: LockProgram.Twin

  init(_ twin: LockProgram.Twin) { self.twin = twin }

  func open() {
    let waiters = state.withLock { state in
      if twin == .mended { state.isOpen = true }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume() }
    if twin == .seeded { state.withLock { $0.isOpen = true } }
  }

  func pass() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { register(id, $0) }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  private func register(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let result: Result<Void, any Error>? = state.withLock { state in
      if Task.isCancelled { return .failure(CancellationError()) }
      if state.isOpen { return .success(()) }
      state.waiters.append((id, continuation))
      return nil
    }
    if let result { continuation.resume(with: result) }
  }
}
