internal import CConcurrencyHooks

/// The questions about cancellation that the simulator's own code asks, such as a fake's. In a program's code, such a question is
/// a place where another step may come in between; these are none.
package enum Questions {
  /// True if the running task is canceled.
  package static var isCancelled: Bool { unsafe withUnsafeCurrentTask { unsafe $0?.isCancelled ?? false } }

  /// Throws a `CancellationError` if the running task is canceled.
  package static func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Call this right before `withTaskCancellationHandler`, which asks too.
  package static func willAddHandler() { ch_adds_own_handler() }
}
