import Foundation
import Simulator

extension LockProgram {
  /// A screen subscribes to a setting while it is changed.
  static let currentValue = LockProgram(
    "current value", .nsLock,
    "A subscriber reads the value in one critical section and registers in the next: what is sent between them, it never sees."
  ) { simulation, twin in
    let subject = CurrentValue(0, twin)
    let screen = Screen()
    async let subscribed: Void = subscribe(screen, to: subject)
    async let sent: Void = send(1, to: subject)
    _ = await (subscribed, sent)
    if screen.shown != 1 {
      simulation.fail(
        "the last value is seen", "the setting is 1, and the screen shows \(screen.shown ?? -1)")
    }
  }
}

@concurrent private func subscribe(_ screen: Screen, to subject: CurrentValue) async {
  subject.subscribe { screen.show($0) }
}

@concurrent private func send(_ value: Int, to subject: CurrentValue) async { subject.send(value) }

private final class Screen: @unchecked Sendable {
  // @unchecked Sendable because `shown` is reached under the lock only.
  private let lock = NSLock()
  private var value: Int?

  var shown: Int? { lock.withLock { value } }
  func show(_ new: Int) { lock.withLock { value = new } }
}

private final class CurrentValue: @unchecked Sendable {
  // @unchecked Sendable because both variables are reached under the lock only.
  private let lock = NSLock()
  private var value: Int
  private var subscribers: [@Sendable (Int) -> Void] = []
  private let twin: LockProgram.Twin

  init(_ value: Int, _ twin: LockProgram.Twin) {
    self.value = value
    self.twin = twin
  }

  /// `receive` is given the value of the moment and each that is sent from then on, under the lock, so in their order.
  func subscribe(_ receive: @escaping @Sendable (Int) -> Void) {
    switch twin {
    case .seeded:
      lock.withLock { receive(value) }
      lock.withLock { subscribers.append(receive) }
    case .mended:
      lock.withLock {
        receive(value)
        subscribers.append(receive)
      }
    }
  }

  func send(_ new: Int) {
    lock.withLock {
      value = new
      for receive in subscribers { receive(new) }
    }
  }
}
