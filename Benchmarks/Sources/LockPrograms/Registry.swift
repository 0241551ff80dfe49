import PosixLock
import Simulator

extension LockProgram {
  /// A subscriber leaves while a value is on its way to it.
  static let registry = LockProgram(
    "multicast registry", .pthread,
    "Sending takes the lock of the registry, then that of the subscriber. Leaving takes them in the opposite order."
  ) { _, twin in
    let registry = Registry()
    let subscriber = Subscriber(registry, twin)
    registry.add(subscriber)
    async let sending: Void = send(registry)
    async let leaving: Void = leave(subscriber)
    _ = await (sending, leaving)
  }
}

@concurrent private func send(_ registry: Registry) async { registry.send(1) }
@concurrent private func leave(_ subscriber: Subscriber) async { subscriber.cancel() }

private final class Registry: @unchecked Sendable {
  // @unchecked Sendable because `subscribers` is reached under the lock only.
  private let lock = PosixLock()
  private var subscribers: [Subscriber] = []

  func add(_ subscriber: Subscriber) { lock.withLock { subscribers.append(subscriber) } }
  func remove(_ subscriber: Subscriber) { lock.withLock { subscribers.removeAll { $0 === subscriber } } }

  func send(_ value: Int) {
    lock.withLock {
      for subscriber in subscribers { subscriber.receive(value) }
    }
  }
}

private final class Subscriber: @unchecked Sendable {
  // @unchecked Sendable because what varies is reached under the lock only.
  private let lock = PosixLock()
  private var received: [Int] = []
  private var isCancelled = false
  private let registry: Registry
  private let twin: LockProgram.Twin

  init(_ registry: Registry, _ twin: LockProgram.Twin) {
    self.registry = registry
    self.twin = twin
  }

  func receive(_ value: Int) {
    lock.withLock {
      if !isCancelled { received.append(value) }
    }
  }

  func cancel() {
    switch twin {
    case .seeded:
      lock.withLock {
        isCancelled = true
        registry.remove(self)
      }
    case .mended:
      lock.withLock { isCancelled = true }
      registry.remove(self)
    }
  }
}
