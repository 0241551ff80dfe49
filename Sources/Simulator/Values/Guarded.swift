internal import Foundation

/// A value that many threads share, reached under a lock only.
///
/// It is the standard library's `Mutex` around an `NSLock`: `Mutex` locks inside the library, where the thread
/// sanitizer does not see it, and a user's `swift test --sanitize=thread` would call our fakes a race.
package final class Guarded<Value>: @unchecked Sendable {
  // @unchecked Sendable because `value` is reached under the lock only.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
