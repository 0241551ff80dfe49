/// Which lock a part of a step takes that begins where that is not known: behind the opening of another lock, or where its
/// task begins. As the same part of the same task had it in earlier rounds.
///
/// A part is told by its task and by how many points the task has come to.
struct PartLocks {
  /// The tasks that have come to a point in this execution, and to how many.
  private var tasks = PathTable()
  private var points: ContiguousArray<UInt64> = []
  private var parts = PathTable()
  private var locks: ContiguousArray<Int32> = []
  private var fresh: ContiguousArray<(part: UInt64, lock: Int32)> = []
  /// What was said of each candidate when it was offered, by its id; -1 where nothing was. It stands until the candidate is
  /// taken, although its task may come to a point meanwhile: one whose job an executor of the program's runs.
  private var told: ContiguousArray<Int32> = []
  /// The task that runs, and whether it is known what its part takes first.
  private var running: UInt64 = 0
  private var isKnown = false

  mutating func began() {
    running = 0
    isKnown = true
    if !told.isEmpty { told.removeAll(keepingCapacity: true) }
    guard tasks.count > 0 else { return }
    tasks.keepFirst(0)
    points.removeAll(keepingCapacity: true)
  }

  /// What a step waits for that is offered while another runs, it has come to before.
  @inline(__always)
  mutating func offered(_ candidate: Strategies.Candidate) {
    if candidate.kind == .standing, candidate.task == running { comesToPoint(candidate.task) }
    if candidate.object != 0 || !locks.isEmpty { tell(candidate) }
  }

  private mutating func tell(_ candidate: Strategies.Candidate) {
    while told.count <= Int(candidate.id) { told.append(-1) }
    told[Int(candidate.id)] = Int32(candidate.object != 0 ? candidate.object : expected(of: candidate))
  }

  private mutating func comesToPoint(_ task: UInt64) {
    guard task != 0 else { return }
    if let number = tasks.find(task) {
      points[number] += 1
    } else {
      _ = tasks.add(task)
      points.append(1)
    }
  }

  /// The lock or atomic that the candidate uses first, as it was when the candidate was offered; 0 where that was not known.
  @inline(__always)
  func object(of candidate: Strategies.Candidate) -> Int {
    guard Int(candidate.id) < told.count, told[Int(candidate.id)] >= 0 else { return candidate.object }
    return Int(told[Int(candidate.id)])
  }

  private func expected(of candidate: Strategies.Candidate) -> Int {
    guard candidate.kind == .standing || candidate.domain == 0 else { return 0 }
    return parts.find(part(of: candidate.task)).map { Int(locks[$0]) } ?? 0
  }

  private func part(of task: UInt64) -> UInt64 {
    Digest.mix(task, tasks.find(task).map { points[$0] } ?? 0)
  }

  @inline(__always)
  mutating func took(_ candidate: Strategies.Candidate) {
    running = candidate.task
    isKnown = candidate.object != 0 || candidate.task == 0
  }

  /// The running part takes a lock, or waits for it. Answers whether that is the first thing known of it.
  mutating func used(_ lock: Int) -> Bool {
    guard !isKnown else { return false }
    isKnown = true
    let part = part(of: running)
    if parts.find(part).map({ locks[$0] }) != Int32(lock) { fresh.append((part, Int32(lock))) }
    return true
  }

  mutating func roundEnded() {
    for (part, lock) in fresh {
      if let number = parts.find(part) {
        locks[number] = lock
      } else {
        _ = parts.add(part)
        locks.append(lock)
      }
    }
    fresh.removeAll(keepingCapacity: true)
  }
}
