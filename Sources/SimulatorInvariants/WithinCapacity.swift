public import SimulatorCore

extension Invariant {
  /// The cache never holds more than it has room for, after any step.
  ///
  /// The race: room is made, the new entry is awaited, and by the time that it comes, another entry has taken the room.
  ///
  /// ```swift
  /// if images.count == capacity { images.removeFirst() }
  /// images.append(try await load(url))   // twice at once: one too many
  /// ```
  ///
  /// If the task that put in the excess entry had found room in an earlier step on the same domain, the diagnosis says
  /// that the room was taken. If room had been made before, the program does check for room, and the diagnosis is a
  /// check that no longer held.
  ///
  /// - Parameters:
  ///   - capacity: The number of entries that it has room for.
  ///   - cache: The observed value: a list, or a number.
  ///   - part: The part of it that is counted, if it is a record.
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
  /// The present value; nil before its first change.
  private var held: Trace.Value?
  /// The tasks that took a step on a domain before its first change.
  private var early = Set<Presence>()
  /// The tasks that have found room in a step on a domain.
  private var foundRoom = Set<Presence>()
  private var hasMadeRoom = false
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  private struct Presence: Hashable {
    let task: Int?
    let domain: Int
  }

  init(capacity: Int, cache: String, part: String?) {
    self.capacity = capacity
    self.cache = cache
    self.part = part
  }

  var wantsSteps: Bool { true }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .step:
      let presence = Presence(task: event.task, domain: event.domain)
      if held == nil { early.insert(presence) } else if hasRoom { foundRoom.insert(presence) }
      return nil
    case .changed(cache, let from, let to): return changed(counted(from), counted(to), event)
    default: return nil
    }
  }

  private func counted(_ value: Trace.Value) -> Trace.Value { part.flatMap { value[$0] } ?? value }

  private var hasRoom: Bool { held?.count.map { $0 < capacity } ?? false }

  private mutating func changed(
    _ before: Trace.Value, _ value: Trace.Value, _ event: Trace.Event
  ) -> String? {
    guard let count = value.count else { return nil }
    judged = true
    if held == nil {
      held = before
      if hasRoom { foundRoom = early }
    }
    let presence = Presence(task: event.task, domain: event.domain)
    guard count > capacity else {
      if hasLost(value) { hasMadeRoom = true }
      held = value
      if hasRoom { foundRoom.insert(presence) }
      return nil
    }
    // The step that puts the entry in finds no room: the room must have been found before.
    if !hasRoom, foundRoom.contains(presence) { diagnosis = hasMadeRoom ? .checkThenAct : .roomTaken }
    held = value
    return "\(cache) has room for \(capacity) and holds \(count): \(value)"
  }

  /// Returns true if an entry that was there is gone. O(elements).
  private func hasLost(_ value: Trace.Value) -> Bool {
    guard let before = held?.elements, let after = value.elements else {
      return value.count ?? 0 < held?.count ?? 0
    }
    return before.contains { !after.contains($0) }
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
