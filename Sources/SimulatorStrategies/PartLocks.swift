internal import SimulatorStrategyInterface

/// Predicts which lock a part of a step takes if that is not known where the part begins, after an unlock or at the
/// start of its task: the lock that the same part of the same task took in earlier rounds.
///
/// A part is identified by its task and the number of points that the task has reached.
struct PartLocks {
  /// The tasks that have reached a point in this execution, and the number of points that each has reached.
  private var tasks = PathTable()
  private var points: ContiguousArray<UInt64> = []
  private var parts = PathTable()
  private var locks: ContiguousArray<Int32> = []
  private var fresh: ContiguousArray<(part: UInt64, lock: Int32)> = []
  /// The prediction for each candidate when it was offered, by its id; -1 if there was none. It is valid until the
  /// candidate is taken, even if its task reaches a point meanwhile, as in a job run by one of the program's executors.
  private var told: ContiguousArray<Int32> = []
  /// The running task, and true if the object that its part takes first is known.
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

  /// Records an offer. A parked step of the running task has already reached the object that it waits for.
  @inline(__always)
  mutating func offered(_ candidate: Strategies.Candidate) {
    if candidate.kind == .parked, candidate.task == running { comesToPoint(candidate.task) }
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

  /// Returns the lock or atomic that the candidate uses first, as predicted when it was offered; 0 if that was not
  /// known.
  @inline(__always)
  func object(of candidate: Strategies.Candidate) -> Int {
    guard Int(candidate.id) < told.count, told[Int(candidate.id)] >= 0 else { return candidate.object }
    return Int(told[Int(candidate.id)])
  }

  private func expected(of candidate: Strategies.Candidate) -> Int {
    guard candidate.kind == .parked || candidate.domain == 0 else { return 0 }
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

  /// Notes that the running part takes a lock or waits for it. Returns true if that is the first thing known of the
  /// part.
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
