internal import CConcurrencyHooks

/// What a suspended task would do next, read from the runtime's own memory.
enum SuspendedTask {
  /// The resume function of the task and of its asynchronous callers, innermost first, at most `limit`.
  ///
  /// Safe for a task that is alive and not running: its resume function and context are set then, and each context
  /// begins with its caller's context and resume function (the self-test checks the layout).
  static func addresses(of task: UnsafeMutableRawPointer, limit: Int = 12) -> [UInt] {
    var found = unsafe [UInt(ch_word(task, Int(CH_JOB_RESUME)))]
    var context = unsafe UnsafeRawPointer(bitPattern: UInt(ch_word(task, Int(CH_TASK_CONTEXT))))
    while let current = unsafe context, found.count < limit {
      let resume = unsafe UInt(ch_word(current, 8))
      guard resume != 0 else { break }
      found.append(resume)
      unsafe context = UnsafeRawPointer(bitPattern: UInt(ch_word(current, 0)))
    }
    return found
  }
}
