/// Numbers the tasks that an exploration meets, a task before those that it makes.
///
/// What one execution meets for the first time it numbers for itself; the next one of the same round knows
/// nothing of it.
struct TaskTree {
  private var paths = PathTable()
  private var parents: ContiguousArray<Int32> = []
  /// How many tasks earlier rounds have met.
  private(set) var known = 0

  var count: Int { parents.count }

  /// Forgets what only this round has met.
  mutating func began() {
    guard count > known else { return }
    paths.keepFirst(known)
    parents.removeLast(count - known)
  }

  /// What has been met by now is known from here on.
  mutating func keep() { known = count }

  /// The number of the candidate's task, which is met here for the first time or not. O(1) expected.
  @inline(__always)
  mutating func number(of candidate: Strategies.Candidate) -> Int {
    let path = candidate.task == 0 ? UInt64(candidate.id) : candidate.task
    return paths.find(path) ?? add(Met(path: path, parent: candidate.parent))
  }

  /// A task by the hash of its path, and the one that made it; 0 for none.
  struct Met: Sendable {
    let path: UInt64
    let parent: UInt64
  }

  func met(_ task: Int) -> Met {
    Met(path: paths.keys[task], parent: parents[task] < 0 ? 0 : paths.keys[Int(parents[task])])
  }

  /// The number of a task that this execution or another has met.
  mutating func number(of met: Met) -> Int { paths.find(met.path) ?? add(met) }

  @inline(never)
  private mutating func add(_ met: Met) -> Int {
    parents.append(paths.find(met.parent).map(Int32.init) ?? -1)
    return paths.add(met.path)
  }

  /// The number of the task that made `task`, or -1.
  func parent(of task: Int) -> Int { Int(parents[task]) }

  /// Adds to the steps of each task those of all that it makes.
  func gather(_ steps: inout ContiguousArray<Int>) {
    for task in parents.indices.reversed() where parents[task] >= 0 {
      steps[Int(parents[task])] += steps[task]
    }
  }
}
