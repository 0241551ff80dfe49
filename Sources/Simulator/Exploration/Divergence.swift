/// Where a replay left the execution that was recorded.
public struct Divergence: Codable, Sendable, CustomStringConvertible {
  /// What differed first.
  public enum Difference: Hashable, Codable, Sendable {
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
  /// The last step of the replay before it was noticed, in words: its number, task, domain and source line.
  public let lastStep: String?
  /// Where two replays in this process parted from each other, if they did: then the program does not even repeat
  /// itself, and the recording is not to blame.
  public internal(set) var unrepeatable: String?

  /// The first difference between what `token` recorded and `found`; nil if there is none.
  public init?(expected token: ScheduleToken, found execution: Execution) {
    self.init(expected: token, found: execution, steps: [])
  }

  /// `steps` tells for each choice how many steps had run.
  init?(expected token: ScheduleToken, found execution: Execution, steps: [Int]) {
    guard let difference = Self.difference(token, execution) else { return nil }
    self.difference = difference
    let trace = execution.trace
    switch difference {
    case .options(let position, _, _): lastStep = steps[at: position].flatMap { trace.describe(step: $0) }
    case .endedEarly: lastStep = trace.describe(step: execution.steps)
    case .trace:
      let last = token.schedule.deviations.last.flatMap { steps[at: $0.position] }
      lastStep = last.flatMap { trace.describe(step: $0) }
    case .build: lastStep = nil
    }
  }

  private static func difference(_ token: ScheduleToken, _ execution: Execution) -> Difference? {
    guard token.build == .current else { return .build(expected: token.build, found: .current) }
    for deviation in token.schedule.deviations {
      guard deviation.position < execution.choices.count else {
        return .endedEarly(position: deviation.position, choices: execution.choices.count)
      }
      let found = execution.choices[deviation.position].options
      if found != deviation.options {
        return .options(position: deviation.position, expected: deviation.options, found: found)
      }
    }
    guard token.digest != execution.trace.shortDigest else { return nil }
    return .trace(expected: token.digest, found: execution.trace.shortDigest)
  }

  public var description: String {
    if let unrepeatable { return "the program does not repeat itself: " + unrepeatable }
    return ([what] + [lastStep].compactMap { $0 }.map(near) + [cause].compactMap { $0 }).joined(
      separator: "\n")
  }

  private var what: String {
    switch difference {
    case .options(let position, let expected, let found):
      "at choice \(position) the recording had \(expected) options and this run has \(found)"
    case .endedEarly(let position, let choices):
      "the recording goes on to choice \(position), but this run ended after \(choices) choices"
    case .trace(let expected, let found):
      "every recorded choice was met, but the trace hashes to \(found.hexText) instead of \(expected.hexText)"
    case .build(let expected, let found):
      "recorded in a \(expected.rawValue) build, replayed in a \(found.rawValue) build; "
        + "their scheduling points differ"
    }
  }

  private func near(_ step: String) -> String {
    if case .trace = difference { return "the last recorded deviation was met after \(step)" }
    return "it had come as far as \(step)"
  }

  private var cause: String? {
    if case .build = difference { return nil }
    return "usual causes: the program has changed since the recording; " + DivergenceCause.usual
  }
}

/// What makes one schedule lead to two traces.
enum DivergenceCause {
  static let usual =
    "state kept between executions (a global, a static, a file), a real clock, a thread of one's own, "
    + "an address that became a hash"
}

extension Array {
  fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
