import Simulator
import Synchronization

extension LockProgram {
  /// A reader comes while the last one leaves.
  static let sharedHandle = LockProgram(
    "shared handle", .mutex,
    "The count of users goes to zero in one critical section and the file is closed in the next: who comes between them uses a "
      + "closed file."
  ) { simulation, twin in
    let handle = SharedHandle(twin)
    async let first = read(handle)
    async let second = read(handle)
    if await [first, second].contains(false) { simulation.fail("open while used", "a closed file is read") }
  }
}

/// Whether the file was open.
@concurrent private func read(_ handle: SharedHandle) async -> Bool {
  handle.retain()
  defer { handle.release() }
  return handle.isOpen
}

private final class SharedHandle: Sendable {
  private struct State {
    var users = 0
    var isOpen = false
  }

  private let state = Mutex(State())
  private let twin: LockProgram.Twin

  init(_ twin: LockProgram.Twin) { self.twin = twin }

  var isOpen: Bool { state.withLock(\.isOpen) }

  /// The first user opens the file.
  func retain() {
    state.withLock { state in
      state.users += 1
      state.isOpen = true
    }
  }

  /// The last user closes it.
  func release() {
    switch twin {
    case .seeded:
      let isLast = state.withLock { state in
        state.users -= 1
        return state.users == 0
      }
      if isLast { state.withLock { $0.isOpen = false } }
    case .mended:
      state.withLock { state in
        state.users -= 1
        if state.users == 0 { state.isOpen = false }
      }
    }
  }
}
