/// Where the values come from that are whole: what a screen may show and a disk may hold.
public enum Wholes: Hashable, Sendable {
  /// Every value that a call of this operation has returned.
  case answers(to: String)
  /// Every value that this observed value has had.
  case observed(String)
}

/// The whole values of an execution so far. O(1) an event.
struct WholeValues {
  let sources: [Wholes]
  private var values: Set<Value> = []

  init(_ sources: [Wholes]) {
    self.sources = sources
  }

  func contains(_ value: Value) -> Bool { values.contains(value) }

  mutating func insert(_ value: Value) { values.insert(value) }

  mutating func saw(_ event: Event) {
    switch event.kind {
    case .ended(let call, .returned(let value)):
      if sources.contains(.answers(to: call.operation)) { values.insert(value) }
    case .changed(let name, let from, let to):
      guard sources.contains(.observed(name)) else { return }
      values.insert(from)
      values.insert(to)
    default: break
    }
  }
}
