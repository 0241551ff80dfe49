internal import SimulatorStrategyInterface

/// The tasks for which it does not matter when a step that has done nothing before asks for a result.
///
/// Such a step may have asked whether its own task is cancelled, and that question is not visible. If the task is ever
/// cancelled, the moment of the question matters, and the search has to start over.
struct Joining: Sendable {
  /// The tasks that have been cancelled in some execution.
  private var cancelled: Set<UInt64> = []
  /// The tasks that have asked for a result in steps whose moment was assumed not to matter.
  private var joining: Set<UInt64> = []
  private var wasMistaken = false
  /// The tasks that have ended in the present execution. A cancellation that comes after the end in every order, like
  /// that of an awaited `async let`, makes no difference. Any other cancellation comes before the end in another
  /// execution.
  private var ended: Set<UInt64> = []

  /// Begins an execution.
  mutating func began() { if !ended.isEmpty { ended.removeAll(keepingCapacity: true) } }

  /// Returns the access of `task` to `object`, as far as it matters.
  mutating func access(
    _ object: Strategies.SharedObject, _ access: Strategies.Access, by task: UInt64
  ) -> Strategies.Access {
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

  /// Returns true, once, if the search has to start over.
  mutating func takeMistake() -> Bool {
    defer { wasMistaken = false }
    return wasMistaken
  }
}
