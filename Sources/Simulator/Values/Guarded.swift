internal import CConcurrencyHooks

/// A value that many threads share, reached under a lock only.
///
/// It is the standard library's `Mutex` around a lock of libc: `Mutex` locks inside the library, where the thread
/// sanitizer does not see it, and a user's `swift test --sanitize=thread` would call our fakes a race. The lock is no
/// `NSLock`, because one of the program's withdraws what a reduced search claims.
@safe package final class Guarded<Value>: @unchecked Sendable {
  // @unchecked Sendable because `value` is reached under the lock only.
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
