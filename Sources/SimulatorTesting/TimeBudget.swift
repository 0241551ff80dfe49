public import Testing

/// How much real time the searches of a test or a suite may take together: see `Trait.timeBudget(_:)`.
public struct TimeBudget: TestTrait, SuiteTrait, TestScoping {
  /// When the time of the innermost is over that holds here.
  @TaskLocal private static var end: ContinuousClock.Instant?

  private let time: Duration

  fileprivate init(_ time: Duration) {
    self.time = time
  }

  /// How much is left for a search that begins now; nil where nothing bounds it. A search always tries one schedule.
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
  /// Bounds the real time that the simulated tests of a suite, or the arguments of a test, search together.
  ///
  /// ```swift
  /// @Suite(.simulated(schedules: 100_000), .timeBudget(.seconds(60))) struct CheckoutTests {
  /// ```
  ///
  /// The time begins when the suite does. A search that is not over when it ends stops there, and a warning says what
  /// was covered; one that begins later tries one schedule, the natural order. Nothing that fails is
  /// lost: a violation that has been found is made smaller as far as there is time. A test whose first execution has not
  /// ended by then fails.
  public static func timeBudget(_ time: Duration) -> Self { TimeBudget(time) }
}
