/// Where a replay left the execution that was recorded.
public struct Divergence: Sendable, CustomStringConvertible {
  /// What differed first.
  public enum Difference: Hashable, Sendable {
    /// The choice had another number of options.
    case options(position: Int, expected: Int, found: Int)
    /// The execution ended before it came to the choice.
    case endedEarly(position: Int, choices: Int)
    /// All choices were met, but something else happened.
    case trace(expected: UInt32, found: UInt32)
    /// The token was recorded in the other build, whose scheduling points are not the same.
    case build(expected: ScheduleToken.Build, found: ScheduleToken.Build)
  }

  /// What differed first.
  public let difference: Difference

  /// The first difference between what `token` recorded and `found`; nil if there is none.
  public init?(expected token: ScheduleToken, found execution: Execution) {
    if token.build != .current {
      difference = .build(expected: token.build, found: .current)
      return
    }
    for deviation in token.schedule.deviations {
      guard deviation.position < execution.choices.count else {
        difference = .endedEarly(position: deviation.position, choices: execution.choices.count)
        return
      }
      let found = execution.choices[deviation.position].options
      if found != deviation.options {
        difference = .options(position: deviation.position, expected: deviation.options, found: found)
        return
      }
    }
    guard token.digest != execution.trace.shortDigest else { return nil }
    difference = .trace(expected: token.digest, found: execution.trace.shortDigest)
  }

  public var description: String {
    switch difference {
    case .options(let position, let expected, let found):
      "at choice \(position) the recording had \(expected) options and this run has \(found): "
        + "the program has changed, or depends on something outside the simulation"
    case .endedEarly(let position, let choices):
      "the recording goes on to choice \(position), but this run ended after \(choices) choices"
    case .trace(let expected, let found):
      "every recorded choice was met, but the trace hashes to \(found.hexText) instead of \(expected.hexText): "
        + "the program has changed, or depends on something outside the simulation"
    case .build(let expected, let found):
      "recorded in a \(expected.rawValue) build, replayed in a \(found.rawValue) build; "
        + "their scheduling points differ"
    }
  }

  /// In words, where two executions of one schedule part.
  static func between(_ first: Execution, _ second: Execution) -> String {
    let cause =
      "; usual causes: state kept between executions, a real clock, a thread, an address that became a hash"
    let parted = zip(first.trace.events, second.trace.events).first { $0 != $1 }
    if let (one, other) = parted {
      return "the same schedule led to different traces: at step \(one.step) (\(one.time)) first "
        + "\(one.kind), then \(other.kind)" + cause
    }
    return "the same schedule led to different traces: \(first.steps) steps, then \(second.steps)" + cause
  }
}
