internal import SimulatorCore

/// The tasks that may be cancelled wherever they are suspended, and which of them have just reached such a point.
///
/// The points of a task are its own and those of the tasks that it made, because it waits for them or they do its work.
/// A point comes after a step, when the task waits, and after the task was woken, before it runs again.
final class Cancellations: ExecutionTable {
  private struct Watch {
    let root: Int32
    let action: Trace.Action
    /// Called just before the task is cancelled.
    let note: @Sendable () -> Void
    var isDue = true
  }

  private var watches: [Watch] = []
  /// The task that would be cancelled, for each task that is followed.
  private var roots: [Int32: Int32] = [:]
  private(set) var isDue = false
  private var isUsed = false

  func watch(_ task: Int32, _ action: Trace.Action, noting note: @escaping @Sendable () -> Void) {
    isUsed = true
    watches.append(Watch(root: task, action: action, note: note))
    roots[task] = task
    isDue = true
  }

  /// Notes that `parent` has made a task.
  func created(_ task: Int32, by parent: Int32) {
    if let root = roots[parent] { roots[task] = root }
  }

  /// Notes that `task` has run or has become runnable.
  func saw(_ task: Int32) {
    guard let root = roots[task] else { return }
    for index in watches.indices where watches[index].root == root {
      watches[index].isDue = true
      isDue = true
    }
  }

  /// Returns the tasks that have reached a point since the last call, in the order in which `watch` was called for
  /// them.
  func takeDue() -> [(task: Int32, action: Trace.Action, note: @Sendable () -> Void)] {
    isDue = false
    return watches.indices.filter { watches[$0].isDue }.map { index in
      watches[index].isDue = false
      return (watches[index].root, watches[index].action, watches[index].note)
    }
  }

  /// Stops watching `task`, which has been cancelled or has finished.
  func remove(_ task: Int32) { watches.removeAll { $0.root == task } }

  var isFresh: Bool { watches.isEmpty && roots.isEmpty }

  func removeAll() {
    guard isUsed else { return }
    isUsed = false
    isDue = false
    watches.removeAll()
    roots.removeAll()
  }
}
