import Synchronization
import Testing

/// Expects a body to have run so often by the end of its scope.
struct RunCount: TestTrait, TestScoping {
  private static let runs = Mutex<[String: Int]>([:])

  private let name: String
  private let expected: ClosedRange<Int>

  init(of name: String, is expected: ClosedRange<Int>) {
    self.name = name
    self.expected = expected
  }

  static func add(_ name: String) { runs.withLock { $0[name, default: 0] += 1 } }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await function()
    let runs = Self.runs.withLock { $0[name] ?? 0 }
    #expect(expected.contains(runs))
  }
}
