/// Numbers the tasks that an exploration meets, a task before those that it makes.
struct TaskTree {
  private var paths = PathTable()
  private var parents: ContiguousArray<Int32> = []

  var count: Int { parents.count }

  /// The number of the candidate's task, which is met here for the first time or not. O(1) expected.
  @inline(__always)
  mutating func number(of candidate: Candidate) -> Int {
    let path = candidate.task == 0 ? UInt64(candidate.id) : candidate.task
    return paths.find(path) ?? add(path, madeBy: candidate.parent)
  }

  @inline(never)
  private mutating func add(_ path: UInt64, madeBy parent: UInt64) -> Int {
    parents.append(paths.find(parent).map(Int32.init) ?? -1)
    return paths.add(path)
  }

  /// The number of the task that made `task`, or -1.
  func parent(of task: Int) -> Int { Int(parents[task]) }

  /// Adds to the steps of each task those of all that it makes.
  func gather(_ steps: inout ContiguousArray<Int>) {
    for task in parents.indices.reversed() where parents[task] >= 0 { steps[Int(parents[task])] += steps[task] }
  }
}
