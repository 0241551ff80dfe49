public import Testing

/// The real time that the searches of a test or a suite may take together: see `Trait.timeBudget(_:)`.
public struct TimeBudget: TestTrait, SuiteTrait, TestScoping {
  /// The time at which the budget that applies here ends.
  @TaskLocal private static var end: ContinuousClock.Instant?

  private let time: Duration

  fileprivate init(_ time: Duration) {
    self.time = time
  }

  /// The time that is left for a search that begins now; nil if nothing bounds it. A search always tries one schedule.
  static var left: Duration? {
    end.map { max(.nanoseconds(1), ContinuousClock.now.duration(to: $0)) }
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let own = ContinuousClock.now.advanced(by: time)
    try await Self.$end.withValue(min(own, Self.end ?? own), operation: function)
  }
}

extension Trait where Self == TimeBudget {
  /// Bounds the real time that the searches of a suite's simulated tests, or of a test's arguments, may take together.
  ///
  /// ```swift
  /// @Suite(.simulated(schedules: 100_000), .timeBudget(.seconds(60))) struct CheckoutTests {
  ///   @Test func paysOnce() async throws { try await Checkout().pay() }
  /// }
  /// ```
  ///
  /// The time begins when the suite does. A search that is still running when the time ends stops there, and a warning
  /// says what was covered. A search that begins later tries one schedule, the natural order. No failure is lost: a
  /// violation that has been found is made smaller as far as there is time. A test whose first execution has not ended
  /// by then fails.
  public static func timeBudget(_ time: Duration) -> Self { TimeBudget(time) }
}
