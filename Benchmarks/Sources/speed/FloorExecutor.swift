@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The least that runs tasks that yield and sleep, in virtual time: the jobs that can run in an array, the others in a binary
/// heap. Nothing is recorded, nothing is judged.
///
/// In the order of arrival it is the floor of the natural order. In an order by chance it is the floor of all strategies that
/// leave the order of arrival: what the runtime keeps of the next task is then mostly in no cache.
final class FloorExecutor: TaskExecutor, SchedulingExecutor, @unchecked Sendable {
  // @unchecked Sendable because one thread fills and drains it.
  enum Order { case arrival, chance }

  private struct Timer {
    let deadline: Int64
    let order: Int
    let job: UnownedJob

    static func < (a: Timer, b: Timer) -> Bool {
      a.deadline != b.deadline ? a.deadline < b.deadline : a.order < b.order
    }
  }

  private let order: Order
  private var jobs = ContiguousArray<UnownedJob>()
  private var head = 0
  private var timers = ContiguousArray<Timer>()
  private var timersSet = 0
  private var now: Int64 = 0
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(_ order: Order) { self.order = order }

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    guard let delay = clock.now.duration(to: instant) as? Duration else {
      fatalError("a sleep in \(C.Duration.self)")
    }
    let (seconds, attoseconds) = delay.components
    timersSet += 1
    insert(
      Timer(
        deadline: now + max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000), order: timersSet,
        job: UnownedJob(job)))
  }

  /// Runs all that has been enqueued and all that comes of it.
  func run() {
    while true {
      while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      guard !timers.isEmpty else { break }
      fireEarliest()
    }
    jobs.removeAll(keepingCapacity: true)
    head = 0
  }

  private func next() -> UnownedJob? {
    guard head < jobs.count else { return nil }
    if order == .chance { jobs.swapAt(head, head + below(jobs.count - head)) }
    let job = jobs[head]
    head += 1
    if head >= 4_096, head * 2 >= jobs.count {
      // What has run goes when it is half of all.
      jobs.removeFirst(head)
      head = 0
    }
    return job
  }

  /// Moves time to the earliest timer and fires what is due then. The job of a sleep resumes the sleeper: on no executor,
  /// or it would go to the platform's pool first.
  private func fireEarliest() {
    let due = timers[0].deadline
    now = max(now, due)
    // Safe: these two words are how the runtime writes that there is none.
    let none = unsafe unsafeBitCast((0, 0) as (UInt, UInt), to: UnownedSerialExecutor.self)
    while let first = timers.first, first.deadline == due { unsafe popFirst().job.runSynchronously(on: none) }
  }

  private func below(_ count: Int) -> Int {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return Int(random.multipliedFullWidth(by: UInt64(count)).high)
  }

  private func insert(_ timer: Timer) {
    timers.append(timer)
    var index = timers.count - 1
    while index > 0, timer < timers[(index - 1) / 2] {
      timers.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private func popFirst() -> Timer {
    timers.swapAt(0, timers.count - 1)
    let first = timers.removeLast()
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < timers.count else { return first }
      if child + 1 < timers.count, timers[child + 1] < timers[child] { child += 1 }
      guard timers[child] < timers[index] else { return first }
      timers.swapAt(index, child)
      index = child
    }
  }
}
