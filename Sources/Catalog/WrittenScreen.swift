import Scenarios
import Simulator
import Synchronization

/// A screen that is written and not read: each write is recorded where and when it happens. For code that works on the queues of
/// Foundation, whose steps overlap, and between which nothing can be observed.
final class WrittenScreen<Value: Equatable & Sendable>: Sendable {
  private let name: String
  private let value: @Sendable (Value) -> Trace.Value
  // A lock, since the code under test may write from anywhere.
  private let content: Mutex<Value>

  init(_ name: String, showing first: Value, as value: @escaping @Sendable (Value) -> Trace.Value) {
    (self.name, self.value) = (name, value)
    content = Mutex(first)
    Simulation.current?.record(.changed(name: name, from: .none, to: value(first)))
  }

  func show(_ next: Value) {
    content.withLock { content in
      guard content != next else { return }
      Simulation.current?.record(.changed(name: name, from: value(content), to: value(next)))
      content = next
    }
  }
}
