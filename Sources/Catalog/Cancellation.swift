import Foundation

extension Error {
  /// Whether somebody has called it off. `URLSession` says so with an error of its own.
  var isCancellation: Bool {
    self is CancellationError || (self as? URLError)?.code == .cancelled
  }
}

extension Task where Failure == any Error {
  /// What the task brings, for one of those who wait for it. Who was cancelled meanwhile is told so, whatever the task brings the
  /// others.
  var shared: Success {
    get async throws {
      let result = await result
      try Task<Never, Never>.checkCancellation()
      return try result.get()
    }
  }
}
