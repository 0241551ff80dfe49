import Foundation
import Testing

/// Makes what the tests of a suite look at, on a thread of its own, before they begin.
///
/// The tests of other suites go on meanwhile: a test that waits for a process keeps one of the few threads on which all run.
struct Prepared: SuiteTrait, TestScoping {
  /// Some at once: the others wait, so that the processes do not take the time of one another that they measure.
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    return queue
  }()

  let prepare: @Sendable () -> Void

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await withCheckedContinuation { prepared in
      Self.queue.addOperation {
        prepare()
        prepared.resume()
      }
    }
    try await function()
  }
}

extension Trait where Self == Prepared {
  static func preparing<Value>(_ make: @escaping @Sendable () -> Value) -> Self { Prepared { _ = make() } }
}
