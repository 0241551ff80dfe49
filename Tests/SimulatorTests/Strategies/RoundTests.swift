// Release builds are not testable from outside.
#if DEBUG
  import Testing

  @testable import Simulator
  @testable import SimulatorCore
  @testable import SimulatorKernel
  @testable import SimulatorStrategies

  @Suite struct `A schedule` {
    /// Tasks that are made, or make others, only in some schedules, and choices whose number differs.
    @Sendable private static func changing(_ simulation: Simulation) async throws {
      let (first, second) = (Cell(), Cell())
      await withDiscardingTaskGroup { group in
        for number in 1...4 {
          group.addTask {
            let seen = await first.value
            await first.add(number)
            await withDiscardingTaskGroup { inner in
              for _ in 0..<seen {
                inner.addTask {
                  let seen = await second.value
                  await second.add(1)
                  await withDiscardingTaskGroup { inmost in
                    for _ in 0..<seen % 5 { inmost.addTask { await increment(second) } }
                  }
                }
              }
            }
          }
        }
      }
      try await Task.sleep(for: simulation.choose(in: .milliseconds(1)...(.milliseconds(3))))
    }

    @Test(
      arguments: ["portfolio", "random", "pct", "pos", "urw", "surw", "feedback"], 0..<5 as Range<UInt64>)
    func `is the same no matter who runs the others of its round`(name: String, seed: UInt64) throws {
      let strategy = try #require(Strategies.Named.named(name)).make()
      // The natural order, a round from which the strategy learns, and one of which only every third is run.
      let last = 2 * Explorer.roundSize
      let all = tapes(of: strategy, schedules: last + 1, seed: seed, Self.changing)
      let few = tapes(
        of: skipping(strategy, from: last - Explorer.roundSize + 1), schedules: last + 1, seed: seed,
        Self.changing)
      try #require(all.count == last + 1 && few.count == last + 1)
      for number in 0...last where !skips(number, from: last - Explorer.roundSize + 1) {
        #expect(few[number] == all[number], "schedule \(number)")
      }
    }
  }

  /// Another strategy, which from some schedule on really runs only every third.
  private struct Skipping<Base: SchedulingStrategy>: SchedulingStrategy {
    private var base: Base
    private let first: Int
    private var isSkipping = false

    init(_ base: Base, from first: Int) {
      self.base = base
      self.first = first
    }

    mutating func began(_ number: Int, seed: UInt64) {
      base.began(number, seed: seed)
      isSkipping = skips(number, from: first)
    }
    mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      isSkipping ? .option(0) : base.pick(point)
    }
    mutating func ended(_ summary: Strategies.ExecutionSummary) { if !isSkipping { base.ended(summary) } }
  }

  extension Skipping: Strategies.CandidateObserver where Base: Strategies.CandidateObserver {
    var followsCandidates: Bool { !isSkipping && base.followsCandidates }
    mutating func offered(_ candidate: Strategies.Candidate) { base.offered(candidate) }
    mutating func withdrew(_ candidate: Strategies.Candidate) { base.withdrew(candidate) }
    mutating func took(_ candidate: Strategies.Candidate) { base.took(candidate) }
  }

  extension Skipping: Strategies.RoundObserver where Base: Strategies.RoundObserver {
    mutating func roundEnded() { base.roundEnded() }
  }

  extension Skipping: Strategies.StartsNaturally where Base: Strategies.StartsNaturally {}

  private func skipping(_ strategy: some SchedulingStrategy, from first: Int) -> any SchedulingStrategy {
    Skipping(strategy, from: first)
  }

  private func skips(_ number: Int, from first: Int) -> Bool { number >= first && number % 3 > 0 }
#endif
