internal import CConcurrencyHooks

/// A value that many threads share, reached only under a lock.
///
/// It is like the standard library's `Mutex`, but has a lock of libc. `Mutex` locks inside the library, where the thread
/// sanitizer does not see it, so a user's `swift test --sanitize=thread` would report our fakes as a race. The lock is
/// not an `NSLock`, because an `NSLock` counts as one of the program's, and that withdraws what a reduced search
/// claims.
@safe package final class Guarded<Value>: @unchecked Sendable {
  // @unchecked Sendable because `value` is reached only under the lock.
  private let lock: UnsafeMutableRawPointer
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    unsafe lock = ch_make_lock()
  }

  deinit { unsafe ch_free_lock(lock) }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe ch_lock(lock)
    defer { unsafe ch_unlock(lock) }
    return try body(&value)
  }
}
