/// The tasks that go on after the body of a test has returned. Nothing that they do is tested.
///
/// A task counts if it has not begun when the body returns, or if it takes a step after virtual time has moved since
/// then. A cancelled task does not count. Neither does a task that only ends at the same instant because what it waited
/// for went away with the body, such as the consumer of a stream.
final class AfterBody: ExecutionTable {
  /// The behavior of a task when time first moved.
  private struct Mark {
    let task: Int32
    let behavior: UInt64
  }

  private var notBegun: [Int32] = []
  private var marks: [Mark] = []
  /// True if the body has returned and time has not moved since.
  private(set) var isAtReturn = false

  var isFresh: Bool { notBegun.isEmpty && marks.isEmpty && !isAtReturn }

  func removeAll() {
    guard !isFresh else { return }
    notBegun.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
    isAtReturn = false
  }

  /// Notes that the body has returned. O(tasks made) if any is alive.
  func bodyReturned(_ tasks: Tasks) {
    isAtReturn = true
    guard tasks.alive > 0 else { return }
    notBegun = Self.candidates(tasks).filter { tasks[$0].behavior == 0 }
  }

  /// Notes that virtual time moves for the first time since the body returned. O(tasks made).
  func timeMoves(_ tasks: Tasks) {
    isAtReturn = false
    marks = Self.candidates(tasks).map { Mark(task: $0, behavior: tasks[$0].behavior) }
  }

  /// Counts the tasks in `polling` that are the program's own: they would poll forever.
  func pollOn(_ polling: [Int32], _ tasks: Tasks) {
    notBegun = Array(Set(notBegun).union(Set(polling).intersection(Self.candidates(tasks))))
  }

  /// Returns the tasks that have gone on, in the order in which they were made.
  func goneOn(_ tasks: Tasks) -> [Int32] {
    guard !isFresh else { return [] }
    let later = marks.filter { tasks[$0.task].behavior != $0.behavior && !tasks.isCancelled($0.task) }
    return Set(notBegun).union(later.map(\.task)).sorted()
  }

  /// Returns the program's own tasks that could go on. A block on a queue is none of them: libraries leave some behind.
  private static func candidates(_ tasks: Tasks) -> [Int32] {
    tasks.living.filter {
      $0 > 0 && !tasks[$0].isServed && !tasks[$0].isWork && !tasks.isCancelled($0)
    }
  }
}
