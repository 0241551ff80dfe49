// Release builds are not testable from outside.
#if DEBUG
  import Testing

  @testable import Simulator

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

    @Test(arguments: [100, 200])
    func `begins with the natural order and spends a tenth on single deviations`(schedules: Int) {
      let deviations = tapes(of: Strategies.Portfolio(), schedules: schedules, Self.crowd).map {
        $0.count { $0 > 0 }
      }
      #expect(deviations.first == 0)
      #expect(deviations[1...(schedules / 10)].allSatisfy { $0 == 1 })
      #expect(deviations[(schedules / 10 + 1)...].contains { $0 > 3 })
    }

    @Test func `tries no single deviation twice before it has tried all`() {
      let tapes = tapes(of: Strategies.Portfolio(), schedules: 300, Self.crowd)
      #expect(Set(tapes[1...30]).count == 30)
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
