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
        unsafe ch_prefetch_job(tasks[timer.sleeper].address)
      } else {
        tasks.prefetch(timer.sleeper)
      }
    }
  }

  /// Before the step in `slot` runs: those that have come behind it, which are next where steps run in the order in which
  /// they came. Where they do not, that is a guess, and a wrong one would itself wait for memory.
  func prefetchSteps(after slot: Int) {
    let isInOrder = slot > state.lastSlot && slot - state.lastSlot <= 2
    state.lastSlot = slot
    guard isInOrder else { return }
    if let later = unsafe queue.waiting(in: slot + 4) {
      unsafe ch_prefetch_job(later.job)
      if unsafe later.task >= 0 { unsafe tasks.prefetch(later.task) }
    }
    if let soon = unsafe queue.waiting(in: slot + 2), unsafe soon.task >= 0 {
      let task = unsafe tasks[soon.task].address
      unsafe ch_prefetch_job(task)
      if unsafe soon.job == task {
        unsafe ch_prefetch_job(UnsafeRawPointer(bitPattern: UInt(ch_word(task, Int(CH_TASK_CONTEXT)))))
      }
    }
  }
}
