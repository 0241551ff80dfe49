import Simulator
import Synchronization

/// A setting that many tasks read. The first of them computes it.
final class Setting: Sendable {
  private let isComputed = Atomic(false)
  private let computed = Atomic(0)
  private let lock = Mutex(())

  func value() async -> Int {
    if !isComputed.load(ordering: .relaxed) {
      lock.withLock { _ in
        computed.store(42, ordering: .relaxed)
        isComputed.store(true, ordering: .releasing)
      }
    }
    return computed.load(ordering: .relaxed)
  }
}

var options = Simulation.Options()
options.memory = .weak

let report = explore("a relaxed flag", options: options) { simulation in
  let setting = Setting()
  async let first = setting.value()
  async let second = setting.value()
  for value in await [first, second] where value != 42 {
    simulation.fail("the setting is computed", "it was \(value)")
  }
}

print(report)
