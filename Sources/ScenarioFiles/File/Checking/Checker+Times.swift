extension Checker {
  private var fixedTime: String { "a duration such as \"5s\"" }
  private var anyTime: String {
    "a duration such as \"5s\", a range \"1s...3s\" or alternatives [\"1s\", \"5s\"]"
  }

  /// A fixed duration.
  mutating func duration(_ node: JSONNode) -> Nanoseconds? {
    guard let text = string(node, allowed: fixedTime) else { return nil }
    guard let offer = timeOffer(text, at: node) else { return nil }
    guard case .fixed(let length) = offer else {
      report(.rangeNotAllowed(text), at: node)
      return nil
    }
    return length
  }

  /// A fixed duration, a range or a list of alternatives.
  mutating func timeOffer(_ node: JSONNode) -> TimeOffer? {
    switch node.value {
    case .string(let text): return timeOffer(text, at: node)
    case .array:
      return alternatives(node, allowed: fixedTime) { $0.duration($1) }.map { .alternatives($0.values) }
    default:
      wrongType(node, allowed: anyTime)
      return nil
    }
  }

  /// When a cancel comes: like any line, or everywhere.
  mutating func cancelTime(_ node: JSONNode) -> ScriptTime? {
    if case .string(ScriptTime.everywhereText) = node.value { return .everywhere }
    return scriptTime(node)
  }

  /// When a script line begins: like a time offer, or any time.
  mutating func scriptTime(_ node: JSONNode) -> ScriptTime? {
    switch node.value {
    case .string(ScriptTime.anytimeText): return .anytime
    case .string, .array: return timeOffer(node).map { .offered($0) }
    default:
      wrongType(node, allowed: "\(anyTime), or \"anytime\"")
      return nil
    }
  }

  /// A list of different fixed values, each of them read by `element`.
  mutating func alternatives<Value: Hashable>(
    _ node: JSONNode, allowed: String, _ element: (inout Checker, JSONNode) -> Value?
  ) -> Alternatives<Value>? {
    var seen: Set<Value> = []
    let values = list(node, "this list of alternatives").compactMap { node -> Value? in
      if isNested(node) {
        report(.nestedAlternatives(allowed: allowed), at: node)
        return nil
      }
      guard let value = element(&self, node) else { return nil }
      if !seen.insert(value).inserted { report(.repeatedValue(node.found), at: node) }
      return value
    }
    return values.isEmpty ? nil : Alternatives(values)
  }

  private func isNested(_ node: JSONNode) -> Bool {
    if case .array = node.value { return true }
    return false
  }

  private mutating func timeOffer(_ text: String, at node: JSONNode) -> TimeOffer? {
    do throws(ValueFault) {
      return try TimeOffer(text: text)
    } catch {
      report(error, at: node)
      return nil
    }
  }
}
