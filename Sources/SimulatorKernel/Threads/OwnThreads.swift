internal import CConcurrencyHooks
internal import CProcesses

/// Threads that the simulator itself starts, for its searches.
///
/// Every other thread that the program or a library has started could wake a task that a simulation has suspended.
package enum OwnThreads {
  /// Runs `body`, which starts such threads.
  package static func start(_ body: () -> Void) {
    ch_starts_own_thread(true)
    defer { ch_starts_own_thread(false) }
    body()
  }

  /// True if this process has a thread, or a source of events, that neither the simulator nor a system library has
  /// started.
  package static var othersLive: Bool { ch_others_live() }
}

/// True if the system reports how many threads this process has.
package var threadsAreKnown: Bool { cp_threads() > 0 }

/// Returns the number of threads of this process, without those that simulations have made: these wait between
/// executions and hold nothing. The result is never too low, but a thread that another simulation makes or ends
/// meanwhile may count.
package func threadsThatMayHoldLocks() -> Int {
  let made = Int(ch_threads_made())
  let threads = Int(cp_threads())
  return threads - (made - Int(ch_threads_ended()))
}
