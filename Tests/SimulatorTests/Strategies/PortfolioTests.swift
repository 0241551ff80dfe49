// Release builds are not testable from outside.
#if DEBUG
  import Testing

  @testable import Simulator
  @testable import SimulatorCore
  @testable import SimulatorKernel
  @testable import SimulatorStrategies

  /// What the usual strategy spends a budget on.
  @Suite struct `The portfolio` {
    /// Forty schedules with one deviation, and many more with two.
    @Sendable private static func crowd(_ simulation: Simulation) async throws {
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for number in 1...5 { group.addTask { await cell.set(cell.value + number) } }
      }
    }

    /// Few enough to try all.
    @Sendable private static func pair(_ simulation: Simulation) async throws {
      let cell = Cell()
      simulation.anytime { Task { await cell.set(0) } }
      async let first: Void = cell.set(cell.value + 1)
      async let second: Void = cell.set(cell.value + 2)
      _ = await (first, second)
    }

    @Test func `begins with the natural order and stays close to it in a tenth of the schedules`() {
      let deviations = tapes(of: Strategies.Portfolio(), schedules: 200, Self.crowd).map {
        $0.count { $0 > 0 }
      }
      #expect(deviations.first == 0)
      #expect(Self.singles.prefix(10).allSatisfy { deviations[$0] == 1 })
      #expect(Self.few.prefix(9).allSatisfy { 1...3 ~= deviations[$0] })
      #expect(deviations.contains { $0 > 3 })
    }

    /// Where single deviations come, and where up to three.
    private static let singles = stride(from: 6, to: 300, by: 20)
    private static let few = stride(from: 16, to: 300, by: 20)

    @Test func `tries nothing near the natural order twice before it has tried all`() {
      let all = tapes(of: Strategies.Portfolio(), schedules: 300, Self.crowd)
      let near = (Array(Self.singles) + Array(Self.few)).map { all[$0] }
      #expect(Set(near).count == near.count)
    }

    @Test func `of schedules with few deviations every one comes, once`() {
      let all = Tapes()
      var explorer = Explorer(name: "test", body: Self.pair)
      explorer.strategy = Strategies.DelayBounded(atMost: 3)
      explorer.record(into: all)
      explorer.checksDeterminism = false
      explorer.budget.schedules = 100_000
      let exhaustion = explorer.explore().coverage
      #expect(exhaustion == .deviations(atMost: 3))
      let few = tapes(of: FewDeviations(), schedules: all.count + 200, Self.pair)
      let other = few.filter { $0.contains { $0 > 0 } }
      #expect(Set(other).count == other.count, "none comes twice")
      let areAll = Set(few) == all.tapes
      #expect(areAll)
    }
  }
#endif
