import Simulator
import SimulatorStrategies
import Testing

@Suite struct `Every strategy` {
  private static let names = Strategies.Named.all.map(\.name)

  @Test(arguments: names)
  func `is a function of seed and number`(_ name: String) throws {
    let strategy = try #require(Strategies.Named.named(name))
    let program = SmallProgram.all[4]
    let (first, second, other) = (Tapes(), Tapes(), Tapes())
    _ = program.outcomes(strategy.make(), into: first, schedules: 200, seed: 7)
    _ = program.outcomes(strategy.make(), into: second, schedules: 200, seed: 7)
    let (_, report) = program.outcomes(strategy.make(), into: other, schedules: 200, seed: 8)
    #expect(first.inOrder == second.inOrder)
    // Random schedules follow a search through all behaviors.
    let own = other.inOrder.count - report.sampledSchedules
    #expect((first.inOrder.prefix(own) == other.inOrder.prefix(own)) == (strategy.goal != nil))
  }

  @Test(arguments: SmallProgram.some)
  func `reaches every outcome or its end, and nothing impossible`(_ program: SmallProgram) {
    let (all, whole) = program.outcomes(Strategies.ExhaustiveDFS(), schedules: 20_000)
    // A search in order tries one draw of random numbers.
    guard whole.coverage == .everySchedule, !whole.drewNumbers else { return }
    for strategy in Strategies.Named.all where strategy.name != "exhaustive" {
      let (found, report) = program.outcomes(strategy.make(), schedules: 1_000)
      #expect(found.isSubset(of: all), "\(strategy.name)")
      let mustReachAll = strategy.goal == nil && strategy.name != "surw"
      if mustReachAll || report.coverage == .everySchedule || report.coverage == .everyBehavior {
        #expect(found == all, "\(strategy.name)")
      }
    }
  }

  @Test(arguments: names)
  func `ends although two tasks wait for each other by spinning`(_ name: String) throws {
    let strategy = try #require(Strategies.Named.named(name))
    var options = Simulation.Options()
    options.stepLimitPerInstant = 20_000
    let report = explore(schedules: 20, strategy: strategy.make(), options: options) { _ in
      let cell = Cell()
      async let spinner: Void = {
        while await cell.value == 0 { await Task.yield() }
      }()
      async let setter: Void = cell.set(1)
      _ = await (spinner, setter)
    }
    if strategy.goal == nil { #expect(report.holds, "\(report)") }
  }

  /// Twenty of them; a random walk has the first and the last in one of eight schedules each.
  @Test func `a uniform random walk draws all interleavings alike`() {
    let outcomes = Log<String>()
    var explorer = Explorer(name: "two that yield", options: Simulation.Options(steps: .atomic)) { _ in
      let letters = Log<String>()
      await withDiscardingTaskGroup { group in
        for letter in ["a", "b"] {
          group.addTask {
            for _ in 0..<3 {
              letters.append(letter)
              await Task.yield()
            }
          }
        }
      }
      outcomes.append(letters.all.joined())
    }
    explorer.strategy = Strategies.URW()
    explorer.budget.schedules = 2_000
    _ = explorer.explore()
    let shares = Dictionary(grouping: outcomes.all) { $0 }.values.map(\.count).sorted()
    #expect(shares.count == 20)
    #expect((shares.first ?? 0) > 60)
    #expect((shares.last ?? 0) < 150)
  }

  @Test func `a strategy has one name`() {
    #expect(Set(Self.names).count == Self.names.count)
    #expect(Strategies.Named.named("portfolio")?.name == "portfolio")
    #expect(Strategies.Named.named("nonsense") == nil)
  }

  @Test(arguments: ["random", "pct", "pos", "urw", "surw", "feedback", "portfolio"])
  func `the first schedule is the natural order, no matter what the strategy picks in it`(_ name: String)
    throws
  {
    let strategy = try #require(Strategies.Named.named(name)).make()
    let tapes = Tapes()
    _ = SmallProgram.all[4].outcomes(strategy, into: tapes, schedules: 2, seed: 3)
    let first = try #require(tapes.inOrder.first)
    #expect(!first.isEmpty)
    #expect(first.allSatisfy { $0 == 0 })
  }

  @Test func `three functions make a strategy`() {
    let tapes = Tapes()
    _ = SmallProgram.all[4].outcomes(LastCome(), into: tapes, schedules: 3)
    #expect(tapes.inOrder.count == 3)
    #expect(tapes.inOrder[1].contains { $0 > 0 })
    #expect(tapes.inOrder[1] == tapes.inOrder[2])
  }

  @Test func `a strategy sees candidates only where it asks to`() {
    for asks in [true, false] {
      let told = Log<Bool>()
      _ = SmallProgram.all[4].outcomes(Listening(asks: asks, told: told), schedules: 2)
      #expect(told.all.isEmpty == !asks)
    }
  }
}

private struct Listening: Strategies.CandidateObserver {
  let asks: Bool
  let told: Log<Bool>

  var followsCandidates: Bool { asks }
  mutating func began(_ number: Int, seed: UInt64) {}
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { .option(0) }
  mutating func ended(_ summary: Strategies.ExecutionSummary) {}
  mutating func offered(_ candidate: Strategies.Candidate) { told.append(true) }
  mutating func withdrew(_ candidate: Strategies.Candidate) { told.append(true) }
  mutating func took(_ candidate: Strategies.Candidate) { told.append(true) }
}
