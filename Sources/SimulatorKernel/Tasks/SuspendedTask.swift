internal import CConcurrencyHooks

/// What a suspended task would do next, read from the runtime's own memory.
enum SuspendedTask {
  /// Returns the resume functions of the task and of its asynchronous callers, innermost first, at most `limit`. If the
  /// task has not begun, the closure that it will run comes before them.
  ///
  /// Safe for a task that is alive and not running: its resume function and context are set then, and each context
  /// begins with its caller's context and resume function (the self-test checks the layout).
  static func addresses(of task: UnsafeMutableRawPointer, limit: Int = 12) -> [UInt] {
    var found = unsafe [UInt(ch_word(task, Int(CH_JOB_RESUME)))]
    let first = unsafe UnsafeRawPointer(bitPattern: UInt(ch_word(task, Int(CH_TASK_CONTEXT))))
    var context = unsafe first
    while let current = unsafe context, found.count < limit {
      let resume = unsafe UInt(ch_word(current, 8))
      guard resume != 0 else { break }
      found.append(resume)
      unsafe context = UnsafeRawPointer(bitPattern: UInt(ch_word(current, 0)))
    }
    // The runtime begins every task in a function of its own, which calls the closure.
    guard found.count == 2, let first = unsafe first, isOfRuntime(found[0]) else { return found }
    return unsafe closure(before: first) + found
  }

  private static func isOfRuntime(_ address: UInt) -> Bool {
    guard let name = unsafe ch_image_name(address) else { return false }
    return unsafe String(cString: name).hasSuffix("libswift_Concurrency.so")
  }

  /// Returns the code of the closure that a task will run. Safe because the words before a first context are the task's
  /// own memory, and other memory is read through the kernel.
  private static func closure(before context: UnsafeRawPointer) -> [UInt] {
    var found = [UInt](repeating: 0, count: Int(CH_CLOSURE_CODES))
    let count = unsafe ch_closure_of_task(context, &found)
    return Array(found.prefix(count))
  }
}
