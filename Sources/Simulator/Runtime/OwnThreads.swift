internal import CConcurrencyHooks

/// Threads that the simulator itself starts, for its searches.
///
/// Every other thread that the program or a library has started could wake a task that a simulation has suspended.
package enum OwnThreads {
  /// Runs `body`, which starts them.
  package static func start(_ body: () -> Void) {
    ch_starts_own_thread(true)
    defer { ch_starts_own_thread(false) }
    body()
  }
}
