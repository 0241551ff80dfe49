internal import CConcurrencyHooks

// Among thousands of tasks the memory of the next one is in no cache, and a step would begin by waiting for it. What comes
// next is mostly known, so its memory is asked for some steps ahead. It changes nothing but the time that a step takes.

extension Scheduler {
  /// How many tasks have room in the caches.
  static let many = 1_000

  /// Before a timer fires: those behind it.
  func prefetchTimers() {
    timers.upcoming { timer, isNext in
      unsafe ch_prefetch_job(timer.job)
      guard timer.sleeper >= 0 else { return }
      if isNext {
        unsafe ch_prefetch_task(tasks[timer.sleeper].address)
        state.likelyNext = timer.sleeper
      } else {
        tasks.prefetch(timer.sleeper)
      }
    }
  }

  /// While the step in `slot` begins. Where steps run in the order in which they came, those that have come behind it are
  /// next; else the strategy may know. Anything else would be a guess, and a wrong one would itself wait for memory.
  func prefetchSteps(after slot: Int) {
    let isInOrder = slot > state.lastSlot && slot - state.lastSlot <= 2
    state.lastSlot = slot
    if isInOrder { prefetchInOrder(slot) } else { prefetchLikely() }
  }

  @inline(__always)
  private func prefetchInOrder(_ slot: Int) {
    if let later = unsafe queue.waiting(in: slot + 4) {
      unsafe ch_prefetch_job(later.job)
      if unsafe later.task >= 0 { unsafe tasks.prefetch(later.task) }
    }
    if let soon = unsafe queue.waiting(in: slot + 2), unsafe soon.task >= 0 {
      let task = unsafe tasks[soon.task].address
      unsafe ch_prefetch_job(task)
      if unsafe soon.job == task { unsafe ch_prefetch_job(contextOfTask(at: task)) }
    }
  }

  /// What the strategy will most likely take behind the step that runs: its task now, and what the task stands in when the
  /// step has ended, because only the task's own memory says where that is.
  private func prefetchLikely() {
    guard queue.offers > 1, let slot = likelySlot(), let next = unsafe queue.waiting(in: slot)
    else { return }
    unsafe ch_prefetch_job(next.job)
    guard unsafe next.task >= 0 else { return }
    unsafe ch_prefetch_task(tasks[next.task].address)
    unsafe state.likelyNext = next.task
  }

  private func likelySlot() -> Int? {
    switch chooser.likelyNext(options: queue.offers) {
    case .option(let option): queue.find(option)
    case .candidate(let id): queue.slot(of: id)
    case nil: nil
    }
  }

  /// When a step has ended, or a timer has fired: the frames of the task that most likely comes next.
  func prefetchFrames() {
    let task = state.likelyNext
    state.likelyNext = -1
    if tasks[task].isAlive { unsafe ch_prefetch_frames(contextOfTask(at: tasks[task].address)) }
  }

  private func contextOfTask(at address: UnsafeMutableRawPointer) -> UnsafeRawPointer? {
    unsafe UnsafeRawPointer(bitPattern: UInt(ch_word(address, Int(CH_TASK_CONTEXT))))
  }
}
