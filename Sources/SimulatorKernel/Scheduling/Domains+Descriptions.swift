internal import SimulatorCore

extension Domains {
  /// The domains, for a trace: type and instance. O(domains).
  var described: [Trace.Domain] {
    var seen: [UInt: Int] = [:]
    var seenLabels: [String: Int] = [:]
    return (0..<Int32(count)).map { index in
      switch index {
      case Self.pool: return Trace.Domain(type: "pool", ordinal: 0, kind: .pool)
      case Self.main: return Trace.Domain(type: "MainActor", ordinal: 0, kind: .mainActor)
      default:
        if let label = labels[index] {
          seenLabels[label.text, default: 0] += 1
          return Trace.Domain(type: label.text, ordinal: seenLabels[label.text] ?? 1, kind: label.kind)
        }
        let word = self[index].type
        seen[word, default: 0] += 1
        let type = Self.type(word)
        return Trace.Domain(
          type: type.map { _typeName($0, qualified: false) } ?? "?", ordinal: seen[word] ?? 1,
          kind: Self.kind(type, isDefaultActor: self[index].keepsPriorities))
      }
    }
  }

  /// Returns what serializes the steps of a domain that is neither the pool nor the main actor.
  private static func kind(_ type: Any.Type?, isDefaultActor: Bool) -> Trace.Domain.Kind {
    if type is any SimulatedFake.Type { return .fake }
    return isDefaultActor ? .actor : .executor
  }

  static func type(_ word: UInt) -> Any.Type? {
    guard word != 0 else { return nil }
    // Safe: the first word of a native Swift object is its type's metadata, which is never freed.
    return unsafe unsafeBitCast(word, to: Any.Type.self)
  }
}
