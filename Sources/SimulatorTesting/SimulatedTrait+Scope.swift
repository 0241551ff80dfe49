internal import Simulator
public import Testing

extension SimulatedTrait: TestScoping {
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    guard !test.isSuite else { return nil }
    if testCase != nil { return self }
    return test.isParameterized && test.simulated?.isReplay == true ? self : nil
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    // The outermost runs the body, as the innermost says; to the others nothing is left to do.
    guard Simulation.current == nil else { return try await function() }
    let innermost = test.simulated ?? self
    guard testCase != nil else { return try await innermost.replayArguments(function) }
    try RuntimeControl.verify()
    let session = Session(test: test, testCase: testCase, options: innermost.options)
    switch innermost.aim {
    case .search(let search):
      try await session.search(search, writtenAt: innermost.sourceLocation, function)
    case .replay(let text): try await session.replay(text, writtenAt: innermost.sourceLocation, function)
    }
  }

  var isReplay: Bool {
    if case .replay = aim { true } else { false }
  }

  /// All arguments of a test take the token of one of them.
  private func replayArguments(_ function: @Sendable @concurrent () async throws -> Void) async throws {
    guard ArgumentTally.current == nil else { return try await function() }
    let tally = ArgumentTally()
    try await ArgumentTally.$current.withValue(tally, operation: function)
    if let divergence = tally.divergenceOfAll {
      Issue.record(
        "this schedule is none of any argument of the test; with the last\n\(divergence)",
        sourceLocation: sourceLocation)
    }
  }
}

extension Test {
  /// The innermost of its ``SimulatedTrait``s, which is the one that holds.
  fileprivate var simulated: SimulatedTrait? {
    traits.lazy.compactMap { $0 as? SimulatedTrait }.last
  }
}

/// Which arguments of a parameterized test a token has belonged to.
final class ArgumentTally: Sendable {
  @TaskLocal static var current: ArgumentTally?

  private struct State {
    var belonged = false
    var divergence: Explorer.Divergence?
  }

  private let state = Guarded(State())

  /// With one argument `divergence` was met, or the schedule belonged to it.
  func add(_ divergence: Explorer.Divergence?) {
    state.withLock { state in
      state.divergence = divergence ?? state.divergence
      if divergence == nil { state.belonged = true }
    }
  }

  /// A divergence, if there was one with every argument.
  var divergenceOfAll: Explorer.Divergence? { state.withLock { $0.belonged ? nil : $0.divergence } }
}
