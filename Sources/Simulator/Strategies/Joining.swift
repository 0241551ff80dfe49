/// The tasks of which it does not count when a step asks for a result that has done nothing before.
///
/// Such a step may have asked whether its own task is cancelled, which no one sees. Where that task ever is, it counts
/// when it asked, and the search has to begin anew.
struct Joining: Sendable {
  /// The tasks that have been cancelled in some execution.
  private var cancelled: Set<UInt64> = []
  /// The tasks that have asked for a result with steps of which it was taken not to count when they ran.
  private var joining: Set<UInt64> = []
  private var wasMistaken = false
  /// The tasks that have ended in the present execution. A cancel that comes behind the end in every order, as that of an
  /// `async let` does that has been awaited, makes no difference; any other comes ahead of it in another execution.
  private var ended: Set<UInt64> = []

  /// An execution begins.
  mutating func began() { if !ended.isEmpty { ended.removeAll(keepingCapacity: true) } }

  /// How `task` has accessed `object`, as far as it counts.
  mutating func access(
    _ object: Strategies.SharedObject, _ access: Strategies.SharedObject.Access, by task: UInt64
  ) -> Strategies.SharedObject.Access {
    switch (object, access) {
    case (.task(let cancelled), .exclusive):
      if !ended.contains(cancelled) { cancels(cancelled) }
      return access
    case (.result(let task), .exclusive):
      ended.insert(task)
      return access
    case (.result, .waits), (.result, .awaited):
      if cancelled.contains(task) { return .read }
      joining.insert(task)
      return access
    default: return access
    }
  }

  private mutating func cancels(_ task: UInt64) {
    if cancelled.insert(task).inserted, joining.contains(task) { wasMistaken = true }
  }

  /// Whether the search has to begin anew, asked for once.
  mutating func takeMistake() -> Bool {
    defer { wasMistaken = false }
    return wasMistaken
  }
}
