import Simulator

extension Invariant {
  /// A test passes. It is judged only if one of the searches that it starts has ended when it asserts.
  static func testPasses(_ action: String, of operation: String) -> Invariant {
    Invariant("test-passes", "A test that has waited for something passes.", diagnosis: .staleOverNewer) {
      TestPasses(action: action, operation: operation)
    }
  }
}

private struct TestPasses: Invariant.Monitor {
  let action: String
  let operation: String
  /// The tests under way, each with the number of searches that have ended meanwhile.
  private var ended: [Trace.Action: Int] = [:]
  private(set) var judged = false

  init(action: String, operation: String) {
    (self.action, self.operation) = (action, operation)
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .actionBegan(let test) where test.name == action: ended[test] = 0
    case .ended(let call, _) where call.operation == operation:
      for test in ended.keys { ended[test, default: 0] += 1 }
    case .actionEnded(let test, let outcome):
      let searches = ended.removeValue(forKey: test) ?? 0
      judged = judged || searches > 0
      if case .threw(let error) = outcome { return "\(test.label) failed: \(error)" }
    default: break
    }
    return nil
  }
}
