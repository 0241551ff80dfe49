internal import CConcurrencyHooks
internal import CProcesses

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

  /// Whether this process has a thread, or a source of events, that neither the simulator nor a library of the system's own has
  /// started.
  package static var othersLive: Bool { ch_others_live() }
}

/// Whether the system tells how many threads this process has.
var threadsAreKnown: Bool { cp_threads() > 0 }

/// How many threads this process has, without those that simulations have made: these wait between executions, and hold
/// nothing. At least as many as there are: a thread that another simulation makes or ends meanwhile may count.
func threadsThatMayHoldLocks() -> Int {
  let made = Int(ch_threads_made())
  let threads = Int(cp_threads())
  return threads - (made - Int(ch_threads_ended()))
}
