import Simulator
import SimulatorStrategies
import Testing

@Suite struct FakeRandomNumbersTests {
  @Test func `a number lies where the schedule says, at every end of its range`() {
    let program = SmallProgram("a random number") { _ in
      var numbers = FakeRandomNumbers()
      return "\(Int.random(in: 1...6, using: &numbers))"
    }
    #expect(program.outcomes(Strategies.ExhaustiveDFS()).outcomes == ["1", "4", "6"])
  }

  // The standard library draws again where a range does not divide evenly.
  @Test(arguments: [0.0, 0.25, 0.5, 0.75, 1])
  func `the same fraction for ever brings every kind of number`(fraction: Double) {
    var numbers = FakeRandomNumbers(fractions: [fraction])
    for bound in [1, 2, 3, 10, 1_000, 1 << 33, .max] {
      let number = Int.random(in: 0..<bound, using: &numbers)
      #expect(abs(Double(number) - fraction * Double(bound)) <= max(1, Double(bound) / 1_024))
    }
    let part = Double.random(in: 0..<1, using: &numbers)
    #expect(abs(part - fraction) < 1e-6)
    #expect(Set((1...9).shuffled(using: &numbers)).count == 9)
  }

  @Test func `identifiers are counted, and may repeat by choice`() {
    let program = SmallProgram("identifiers") { _ in
      let ids = FakeIDs("order", repeats: [false, true])
      return [ids.next(), ids.next()].joined(separator: ", ")
    }
    let outcomes = program.outcomes(Strategies.ExhaustiveDFS()).outcomes
    #expect(outcomes == ["order 1, order 2", "order 1, order 1"])
    let ids = FakeIDs()
    #expect([ids.next(), ids.next()] == ["id 1", "id 2"])
  }
}
