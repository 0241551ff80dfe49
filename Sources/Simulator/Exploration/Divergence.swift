public import SimulatorCore
public import SimulatorKernel

extension Explorer {
  /// The place at which a replay left the recorded execution.
  public struct Divergence: Codable, Sendable {
    /// The first thing that differed.
    public enum Difference: Hashable, Codable, Sendable {
      /// The choice had a different number of options.
      case options(position: Int, expected: Int, found: Int)
      /// The execution ended before it reached the choice.
      case endedEarly(position: Int, choices: Int)
      /// All choices were met, but something else happened.
      case trace(expected: UInt32, found: UInt32)
      /// The token was recorded in the other build, whose scheduling points are different.
      case build(expected: Schedule.Token.Build, found: Schedule.Token.Build)
      /// The token was recorded with another seed of hashing, so sets and dictionaries had another order.
      case hashSeed(expected: UInt32, found: UInt32)
    }

    /// The first thing that differed.
    public let difference: Difference
    /// The last step of the replay before the difference was noticed, in words: its number, task, domain and source line.
    public let lastStep: String?
    /// The place at which two replays in this process diverged from each other, if they did. Then the program does not
    /// even repeat itself, and the recording is not to blame.
    public internal(set) var nondeterminism: String?
    /// True if the schedule does what was recorded in a process that has run the program before, and only there.
    public internal(set) var needsKeptState = false

    /// The first difference between what `token` recorded and `found`; nil if there is none.
    public init?(expected token: Schedule.Token, found execution: Simulation.Execution) {
      self.init(expected: token, found: execution, steps: [])
    }

    /// `steps` holds the number of steps that had run at each choice.
    init?(expected token: Schedule.Token, found execution: Simulation.Execution, steps: [Int]) {
      guard let difference = Self.difference(token, execution) else { return nil }
      self.difference = difference
      let trace = execution.trace
      switch difference {
      case .options(let position, _, _): lastStep = steps[at: position].flatMap { trace.describe(step: $0) }
      case .endedEarly: lastStep = trace.describe(step: execution.steps)
      case .trace:
        let last = token.schedule.deviations.last.flatMap { steps[at: $0.position] }
        lastStep = last.flatMap { trace.describe(step: $0) }
      case .build, .hashSeed: lastStep = nil
      }
    }

    private static func difference(_ token: Schedule.Token, _ execution: Simulation.Execution) -> Difference?
    {
      guard token.build == .current else { return .build(expected: token.build, found: .current) }
      guard token.hashSeed == Schedule.Token.currentHashSeed else {
        return .hashSeed(expected: token.hashSeed, found: Schedule.Token.currentHashSeed)
      }
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
  }
}

extension Array {
  fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
