/// The tasks that may be cancelled wherever they are suspended, and which of them have just come to such a point.
///
/// A task's points are its own and those of the tasks it made: it waits for them, or they do its work. A point is
/// after a step, when the task waits, and after it was woken, before it runs again.
final class Cancellations: ExecutionTable {
  private struct Watch {
    let root: Int32
    let action: Trace.Action
    /// Called when the cancel comes.
    let note: @Sendable () -> Void
    var isDue = true
  }

  private var watches: [Watch] = []
  /// For each task followed, the one that would be cancelled.
  private var roots: [Int32: Int32] = [:]
  private(set) var isDue = false
  private var isUsed = false

  func watch(_ task: Int32, _ action: Trace.Action, noting note: @escaping @Sendable () -> Void) {
    isUsed = true
    watches.append(Watch(root: task, action: action, note: note))
    roots[task] = task
    isDue = true
  }

  /// A task was made by `parent`.
  func created(_ task: Int32, by parent: Int32) {
    if let root = roots[parent] { roots[task] = root }
  }

  /// Something about `task` has changed: it has run, or it may.
  func saw(_ task: Int32) {
    guard let root = roots[task] else { return }
    for index in watches.indices where watches[index].root == root {
      watches[index].isDue = true
      isDue = true
    }
  }

  /// Takes out those that have come to a point, in the order in which they were asked for.
  func takeDue() -> [(task: Int32, action: Trace.Action, note: @Sendable () -> Void)] {
    isDue = false
    return watches.indices.filter { watches[$0].isDue }.map { index in
      watches[index].isDue = false
      return (watches[index].root, watches[index].action, watches[index].note)
    }
  }

  /// `task` has been cancelled, or has finished.
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
