/// A FIFO ring as a task executor, for programs that yield: a yield goes straight to the task's executor.
public final class RingExecutor: TaskExecutor, @unchecked Sendable {
  // @unchecked Sendable because one thread fills and drains it.
  private var jobs = ContiguousArray<UnownedJob>()
  private var head = 0

  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  /// Runs `body` and all that it starts as children, in the order in which they come.
  public func run(_ body: @escaping @Sendable () async -> Void) {
    Task(executorPreference: self) { await body() }
    while head < jobs.count {
      let job = jobs[head]
      head += 1
      if head == 4096 {
        jobs.removeFirst(head)
        head = 0
      }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
    jobs.removeAll(keepingCapacity: true)
    head = 0
  }
}
