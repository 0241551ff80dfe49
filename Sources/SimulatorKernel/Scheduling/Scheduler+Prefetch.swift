internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Among thousands of tasks, the memory of the next one is in no cache, and a step would begin by waiting for it. What
// comes next is mostly known, so its memory is prefetched some steps ahead. This changes nothing but the time that a
// step takes.

extension Scheduler {
  /// The number of tasks that fit in the caches.
  static let many = 1_000

  /// Prefetches the timers behind the one that is about to fire.
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

  /// Prefetches the steps that follow the one that begins in `slot`. If steps run in the order in which they came,
  /// these are the ones that came after it; otherwise the strategy may know. Anything else would be a guess, and a
  /// wrong guess would itself wait for memory.
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

  /// Prefetches what the strategy will most likely take after the running step: its task now, and the frames of the
  /// task when the step has ended, because only the task's own memory says where they are.
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

  /// Prefetches the frames of the task that most likely comes next, when a step has ended or a timer has fired.
  func prefetchFrames() {
    let task = state.likelyNext
    state.likelyNext = -1
    if tasks[task].isAlive { unsafe ch_prefetch_frames(contextOfTask(at: tasks[task].address)) }
  }

  private func contextOfTask(at address: UnsafeMutableRawPointer) -> UnsafeRawPointer? {
    unsafe UnsafeRawPointer(bitPattern: UInt(ch_word(address, Int(CH_TASK_CONTEXT))))
  }
}
