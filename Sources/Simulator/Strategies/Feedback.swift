extension Strategies {
  /// Feedback-guided search: keeps the choices of executions that behaved as none before, and changes five of
  /// them at a time. The idea is greybox fuzzing's (for schedules: Wolff, Shi, Duck, Mathur, Roychoudhury:
  /// Greybox Fuzzing for Concurrency Testing, ASPLOS 2024); the tapes and their mutation are ours.
  ///
  /// Every fourth execution is a random walk, and so is whatever comes after the end of a tape.
  public struct Feedback: Strategies.RoundObserver {
    private static let mutations = 5
    private static let mostTapes = 1_024

    private var random = Strategies.SplitMix64(state: 0)
    private var targets = TimerTargets()
    private var tapes: ContiguousArray<ContiguousArray<Int32>> = []
    private var fresh: ContiguousArray<ContiguousArray<Int32>> = []
    private var seen: Set<UInt64> = []
    private var kept = 0
    /// The tape that this execution follows; empty for a random walk.
    private var tape: ContiguousArray<Int32> = []
    private var taken: ContiguousArray<Int32> = []

    /// A search by feedback.
    public init() {}

    public mutating func began(_ number: Int, seed: UInt64) {
      random = Strategies.SplitMix64(seed: seed, stream: UInt64(number))
      targets.began()
      taken.removeAll(keepingCapacity: true)
      tape.removeAll(keepingCapacity: true)
      guard !tapes.isEmpty, random.below(4) > 0 else { return }
      tape.append(contentsOf: tapes[random.below(tapes.count)])
      guard !tape.isEmpty else { return }
      for _ in 0..<Self.mutations { tape[random.below(tape.count)] = -1 }
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      let position = taken.count
      let told = position < tape.count ? Int(tape[position]) : -1
      let option = told >= 0 && told < point.options ? told : draw(point)
      taken.append(Int32(option))
      return .option(option)
    }

    private mutating func draw(_ point: Strategies.ChoicePoint) -> Int {
      guard let timers = point.timers else { return random.below(point.options) }
      return targets.pick(timers, &random)
    }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      if seen.insert(summary.behaviour).inserted { fresh.append(taken) }
    }

    public mutating func roundEnded() {
      for tape in fresh {
        if tapes.count < Self.mostTapes { tapes.append(tape) } else { tapes[kept % Self.mostTapes] = tape }
        kept += 1
      }
      fresh.removeAll(keepingCapacity: true)
    }
  }
}

extension SchedulingStrategy where Self == Strategies.Feedback {
  /// Changes schedules that behaved as none before: ``Strategies/Feedback``.
  public static var feedback: Strategies.Feedback { Strategies.Feedback() }
}
