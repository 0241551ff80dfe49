internal import SimulatorStrategyInterface

/// Numbers the tasks that an exploration meets, each task before the tasks that it makes.
///
/// Each execution numbers the tasks that it meets for the first time for itself. They are unknown to the next execution
/// of the same round.
struct TaskTree {
  private var paths = PathTable()
  private var parents: ContiguousArray<Int32> = []
  /// The number of tasks that earlier rounds have met.
  private(set) var known = 0

  var count: Int { parents.count }

  /// Forgets everything that only this round has met.
  mutating func began() {
    guard count > known else { return }
    paths.keepFirst(known)
    parents.removeLast(count - known)
  }

  /// Makes all tasks met so far known from here on.
  mutating func keep() { known = count }

  /// Returns the number of the candidate's task, which may be new. O(1) expected.
  @inline(__always)
  mutating func number(of candidate: Strategies.Candidate) -> Int {
    let path = candidate.task == 0 ? UInt64(candidate.id) : candidate.task
    return paths.find(path) ?? add(Met(path: path, parent: candidate.parent))
  }

  /// A task by the hash of its path, and the task that made it; 0 for none.
  struct Met: Sendable {
    let path: UInt64
    let parent: UInt64
  }

  func met(_ task: Int) -> Met {
    Met(path: paths.keys[task], parent: parents[task] < 0 ? 0 : paths.keys[Int(parents[task])])
  }

  /// Returns the number of a task that this execution or another one has met.
  mutating func number(of met: Met) -> Int { paths.find(met.path) ?? add(met) }

  @inline(never)
  private mutating func add(_ met: Met) -> Int {
    parents.append(paths.find(met.parent).map(Int32.init) ?? -1)
    return paths.add(met.path)
  }

  /// Returns the number of the task that made `task`, or -1.
  func parent(of task: Int) -> Int { Int(parents[task]) }

  /// Adds to the steps of each task the steps of all tasks that it makes.
  func gather(_ steps: inout ContiguousArray<Int>) {
    for task in parents.indices.reversed() where parents[task] >= 0 {
      steps[Int(parents[task])] += steps[task]
    }
  }
}
