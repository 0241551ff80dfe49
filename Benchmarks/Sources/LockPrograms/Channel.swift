import Simulator
import Synchronization

extension LockProgram {
  /// Two elements go through a channel that has room for one.
  static let channel = LockProgram(
    "channel with back pressure", .mutex,
    "A receiver wakes a sender before it counts the room that it has made: the sender finds none and waits for ever."
  ) { simulation, twin in
    let channel = Channel(capacity: 1, twin)
    let sender = Task {
      await channel.send(1)
      await channel.send(2)
    }
    let received = [await channel.next(), await channel.next()]
    await sender.value
    if received != [1, 2] { simulation.fail("what was sent comes", "\(received)") }
  }
}

private final class Channel: Sendable {
  private struct State {
    var elements: [Int] = []
    var used = 0
    var senders: [CheckedContinuation<Void, Never>] = []
    var receivers: [CheckedContinuation<Int, Never>] = []
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let twin: LockProgram.Twin

  init(capacity: Int, _ twin: LockProgram.Twin) {
    self.capacity = capacity
    self.twin = twin
  }

  func send(_ element: Int) async {
    while !puts(element) { await room() }
  }

  private func puts(_ element: Int) -> Bool {
    let (isDone, receiver): (Bool, CheckedContinuation<Int, Never>?) = state.withLock { state in
      if !state.receivers.isEmpty { return (true, state.receivers.removeFirst()) }
      guard state.used < capacity else { return (false, nil) }
      state.used += 1
      state.elements.append(element)
      return (true, nil)
    }
    receiver?.resume(returning: element)
    return isDone
  }

  private func room() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        if state.used < capacity { return true }
        state.senders.append(continuation)
        return false
      }
      if hasRoom { continuation.resume() }
    }
  }

  func next() async -> Int {
    await withCheckedContinuation { continuation in
      let (element, sender): (Int?, CheckedContinuation<Void, Never>?) = state.withLock { state in
        guard !state.elements.isEmpty else {
          state.receivers.append(continuation)
          return (nil, nil)
        }
        if twin == .mended { state.used -= 1 }
        let sender = state.senders.isEmpty ? nil : state.senders.removeFirst()
        return (state.elements.removeFirst(), sender)
      }
      guard let element else { return }
      sender?.resume()
      if twin == .seeded { state.withLock { $0.used -= 1 } }
      continuation.resume(returning: element)
    }
  }
}
