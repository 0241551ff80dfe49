internal import Simulator
internal import SimulatorTestSupport
public import Testing

extension SimulatedTrait: TestScoping {
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    guard !test.isSuite else { return nil }
    // This scope spans all arguments together: they are skipped as one, and share the tokens.
    return testCase != nil || test.isParameterized ? self : nil
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    // The outermost trait runs the body, with the settings of the innermost. The others have nothing left to do.
    guard Simulation.current == nil else { return try await function() }
    let innermost = test.simulated ?? self
    let place = innermost.place(in: test)
    if let unsupported = Unsupported.here {
      // Without control of the runtime, nothing that could be reported would be true.
      if unsupported.isFailure { throw unsupported }
      // If a test with arguments is skipped as a whole, the library says only that it passed.
      if testCase == nil {
        Issue.record("\(unsupported)", severity: .warning, sourceLocation: place)
      }
      try Test.cancel("\(unsupported)", sourceLocation: place)
    }
    guard testCase != nil else {
      return try await ArgumentRoutes.sharing(by: test, at: place) {
        try await innermost.replayArguments(function, writtenAt: place)
      }
    }
    // A process that was made for one test, or one argument of it, runs no other.
    if FreshRequest.isForAnother(than: FreshSubject(test, testCase)) { return }
    let session = Session(
      test: test, testCase: testCase, options: innermost.options, isContained: innermost.isContained)
    switch innermost.aim {
    case .search(let search):
      try await session.search(search, writtenAt: place, function)
    case .replay(let text): try await session.replay(text, writtenAt: place, function)
    }
  }

  private func place(in test: Test) -> SourceLocation { sourceLocation ?? test.sourceLocation }

  /// The tokens of the recorded schedules that it replays.
  var tokens: [String] {
    switch aim {
    case .search(let search): search.replays
    case .replay(let token): [token]
    }
  }

  /// Runs all arguments of a test with the tokens, each of which was recorded with one of them. Then reports the tokens
  /// that no argument reproduces.
  private func replayArguments(
    _ function: @Sendable @concurrent () async throws -> Void, writtenAt place: SourceLocation
  ) async throws {
    guard !tokens.isEmpty, ArgumentTally.current == nil else { return try await function() }
    let tally = ArgumentTally()
    try await ArgumentTally.$current.withValue(tally, operation: function)
    for token in tokens {
      switch (tally.outcome(of: token), aim) {
      case (.parted(let divergence), .search):
        Issue.record(
          "\(divergence.sentence(about: token))", severity: .warning, sourceLocation: place)
      case (.parted(let divergence), .replay):
        Issue.record(
          headline: "this schedule is none of any argument of the test", "with the last\n\(divergence)",
          at: place)
      case (.violatesNothing(let sentence), .replay):
        Issue.record("\(sentence)", severity: .warning, sourceLocation: place)
      default: break
      }
    }
  }
}

extension Test {
  /// The innermost of its ``SimulatedTrait``s, which takes precedence.
  fileprivate var simulated: SimulatedTrait? {
    traits.lazy.compactMap { $0 as? SimulatedTrait }.last
  }
}

/// The outcomes of tokens with the arguments of a parameterized test. Each token belongs to one argument.
final class ArgumentTally: Sendable {
  @TaskLocal static var current: ArgumentTally?

  /// The outcome of a token with one argument, from worst to best.
  enum Outcome {
    case parted(Explorer.Divergence)
    /// Every recorded choice was met; the sentence says that nothing is violated.
    case violatesNothing(String)
    case belongs

    init(_ result: Explorer.ReplayResult) {
      if let divergence = result.divergence {
        self = .parted(divergence)
      } else if let sentence = result.nothingViolatedText, !result.isSameTrace {
        self = .violatesNothing(sentence)
      } else {
        self = .belongs
      }
    }

    fileprivate var rank: Int {
      switch self {
      case .parted: 0
      case .violatesNothing: 1
      case .belongs: 2
      }
    }
  }

  private let outcomes = Guarded<[String: Outcome]>([:])

  /// Notes that `token` led to `outcome` with one argument.
  func add(_ outcome: Outcome, to token: String) {
    outcomes.withLock { outcomes in
      if let known = outcomes[token], known.rank > outcome.rank { return }
      outcomes[token] = outcome
    }
  }

  /// Returns the best outcome of `token`; nil if no argument has tried it.
  func outcome(of token: String) -> Outcome? { outcomes.withLock { $0[token] } }
}
