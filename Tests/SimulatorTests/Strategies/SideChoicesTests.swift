import Simulator
import SimulatorStrategies
import Testing

/// What strategies that rank steps do about values, and about actions that may happen anytime.
@Suite struct `Choices beside the order` {
  static let strategies: [any SchedulingStrategy] = [
    Strategies.PCT(), Strategies.POS(), Strategies.URW(), Strategies.SURW(),
  ]

  @Test(arguments: strategies.indices)
  func `a kind of value is often left out altogether, and often varied`(index: Int) {
    let tapes = tapes(of: Self.strategies[index], schedules: 500) { simulation in
      for _ in 0..<10 { _ = simulation.choose(among: [0, 1]) }
    }
    #expect((125...230).contains(tapes.count { !$0.contains(1) }))
    #expect(tapes.contains { $0.count { $0 == 1 } >= 7 })
  }

  @Test(arguments: strategies.indices)
  func `an action that may happen anytime comes soon as often as late, and anywhere`(index: Int) {
    let tapes = tapes(of: Self.strategies[index], schedules: 500) { simulation in
      simulation.anytime {}
      for _ in 0..<50 { await Task.yield() }
    }
    let places = tapes.compactMap { $0.firstIndex(of: 1) }
    #expect(places.count { $0 < 4 } > tapes.count / 3)
    #expect(places.count { $0 >= 16 } > tapes.count / 10)
    #expect(Set(places).count > 30)
  }
}
