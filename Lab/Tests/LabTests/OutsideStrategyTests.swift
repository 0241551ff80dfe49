import Lab
import SearchTrials
import Simulator
import SimulatorStrategies
import Testing
import TwinPrograms
import Unseen

@Suite(.serialized) struct `Strategies from outside` {
  /// A strategy of this package beside the simulator's own.
  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let builtIn: @Sendable () -> any SchedulingStrategy
    let outside: @Sendable () -> any SchedulingStrategy
  }

  static let pairs = [
    Pair(testDescription: "PCT", builtIn: { .pct() }, outside: { Lab.PCT() }),
    Pair(testDescription: "POS", builtIn: { .pos }, outside: { Lab.POS() }),
  ]

  @Test(arguments: pairs) func `find each bug in as many schedules as the simulator's own`(_ pair: Pair) {
    let trials = Self.trials(pair.builtIn, pair.outside)
    for (program, trials) in zip(UnseenPrograms.all, trials) {
      #expect(trials.one.isComplete && trials.other.isComplete, "\(program.name)")
    }
    let comparison = Comparison(trials)
    #expect(
      comparison.low <= 1 && comparison.high >= 1,
      "\(comparison.ratio) times as many, \(comparison.low) to \(comparison.high)")
    let surplus = RankSum(trials).deviations
    #expect(abs(surplus) < 2.58, "the ranks differ by \(surplus) standard deviations")
  }

  @Test func `the comparison notices a strategy that is another one`() {
    let trials = Self.trials({ .pct() }, { .pct(depth: 1) })
    #expect(abs(RankSum(trials).deviations) > 2.58)
    let comparison = Comparison(trials)
    #expect(comparison.low > 1 || comparison.high < 1)
  }

  private static func trials(
    _ one: () -> any SchedulingStrategy, _ other: () -> any SchedulingStrategy
  ) -> [(one: Trials, other: Trials)] {
    UnseenPrograms.all.map { program in
      let explorer = program.explorer(.seeded)
      return (Trials(explorer, seeds: 20, cap: 1_000, one), Trials(explorer, seeds: 20, cap: 1_000, other))
    }
  }
}
