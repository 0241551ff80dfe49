internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The threads that the program makes in an execution. Each is a domain with a single step: its body.
///
/// Each is a thread of the system. The step that is its body runs on it, while the thread that drives waits.
final class ProgramThreads: ExecutionTable {
  private(set) var count = 0
  private var madeBy: [UInt64: UInt64] = [:]

  /// The domains of these threads.
  private var domains: Set<Int32> = []

  var isFresh: Bool { count == 0 && madeBy.isEmpty && domains.isEmpty }

  func removeAll() {
    guard count > 0 else { return }
    count = 0
    madeBy.removeAll(keepingCapacity: true)
    domains.removeAll(keepingCapacity: true)
  }

  func runs(_ domain: Int32) { domains.insert(domain) }
  func hasAny(on domain: Int32) -> Bool { domains.contains(domain) }

  /// Notes that the task with this path has made a thread. Returns its number, and a name that is the same in every
  /// execution.
  func made(by maker: UInt64) -> (number: Int, place: UInt64) {
    count += 1
    madeBy[maker, default: 0] += 1
    return (count, Digest.mix(Digest.mix(maker, 0x5448_5245_4144), madeBy[maker, default: 0]))
  }
}

extension Scheduler {
  /// Makes the body of a new thread of the program runnable: it may begin at any time.
  func threadMade(_ thread: OpaquePointer) {
    let maker = currentTask
    let (number, place) = tables.threads.made(by: maker >= 0 ? tasks[maker].path : Digest.seed)
    guard let task = unsafe makeTask(for: ch_work_of_thread(thread)) else { return }
    let domain = domains.add(
      .thread, at: UInt(bitPattern: thread), label: "thread \(number)", place: place)
    tables.threads.runs(domain)
    if recorder.keepsEvents { recorder.name(task, "the work of thread \(number)") }
    let job = unsafe tasks[task].address
    unsafe arrive(job, domain: domain, identity: 0, implementation: 0, kind: .start, enqueued: .never)
  }
}

extension Scheduler {
  /// Returns true if `step` is on a thread of the program's that waits to be given something to do.
  func isIdleThread(_ step: ParkedSteps.Step) -> Bool {
    guard tables.threads.hasAny(on: step.frame.domain),
      let wait = unsafe tables.locks.wait(step.thread)
    else { return false }
    return [.signal, .post, .group, .time, .runLoop].contains(wait.subject)
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_thread_made(_ scheduler: UnsafeMutableRawPointer, _ thread: OpaquePointer) {
  unsafe Scheduler.with(scheduler) { unsafe $0.threadMade(thread) }
}
