import Simulator
import Synchronization

/// What a simulated body hands out to its test.
final class Box<Content: Sendable>: Sendable {
  private let content: Mutex<Content>

  init(_ content: Content) {
    self.content = Mutex(content)
  }

  var value: Content {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}

extension Simulation.Execution {
  /// The kinds of its events, steps left out.
  var kinds: [Trace.Event.Kind] { trace.events.map(\.kind).filter { $0 != .step } }

  /// The outcomes of its calls, in the order in which they ended.
  var outcomes: [Trace.Outcome] {
    kinds.compactMap { kind in
      if case .ended(_, let outcome) = kind { return outcome }
      return nil
    }
  }

  /// When its last call ended.
  var endOfLastCall: VirtualInstant? {
    trace.events.last { if case .ended = $0.kind { true } else { false } }?.time
  }

  /// Whether the fakes that were cancelled gave up, in the order of the cancels.
  var honored: [Bool] {
    kinds.compactMap { kind in
      if case .cancellation(_, let honored) = kind { return honored }
      return nil
    }
  }
}

extension Schedule {
  /// One deviation: option `taken` of `options` at choice `position`.
  static func only(_ position: Int, _ taken: Int, of options: Int) -> Schedule {
    Schedule(deviations: [.init(position: position, taken: taken, options: options)])
  }
}
