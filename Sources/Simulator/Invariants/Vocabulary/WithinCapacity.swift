extension Invariant {
  /// The cache never holds more than it has room for, after no step.
  ///
  /// The race: room is made, what goes into it is awaited, and by the time that it comes the room is
  /// another's.
  ///
  /// ```swift
  /// if images.count == capacity { images.removeFirst() }
  /// images.append(try await load(url))   // twice at once: one too many
  /// ```
  ///
  /// - Parameters:
  ///   - capacity: How many it has room for.
  ///   - cache: The observed value: a list, or a number.
  ///   - part: The part of it that is counted, where it is a record.
  public static func withinCapacity(_ capacity: Int, of cache: String, _ part: String? = nil) -> Invariant {
    refuse(if: capacity < 0, "a cache has room for 0 entries at least, and not for \(capacity)")
    return Invariant("within-capacity", "The cache never holds more than it has room for.") {
      WithinCapacity(capacity: capacity, cache: cache, part: part)
    }
  }
}

private struct WithinCapacity: Invariant.Monitor {
  let capacity: Int
  let cache: String
  let part: String?
  private(set) var judged = false

  init(capacity: Int, cache: String, part: String?) {
    self.capacity = capacity
    self.cache = cache
    self.part = part
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(cache, _, let to) = event.kind else { return nil }
    let held = part.flatMap { to[$0] } ?? to
    guard let count = held.count else { return nil }
    judged = true
    return count > capacity ? "\(cache) has room for \(capacity) and holds \(count): \(held)" : nil
  }
}

extension Trace.Value {
  /// The elements of a list, or the number itself; nil for anything else.
  fileprivate var count: Int? {
    switch self {
    case .list(let elements): elements.count
    case .int(let number): number
    default: nil
    }
  }
}
