import Simulator
import SimulatorStrategies
import Testing

@Suite struct FakeRandomNumbersTests {
  @Test func `a number lies at an end of its range, or where the schedule draws it`() {
    let program = SmallProgram("a random number") { _ in
      var numbers = FakeRandomNumbers([.lowest, .highest])
      return "\(Int.random(in: 1...6, using: &numbers))"
    }
    #expect(program.outcomes(Strategies.ExhaustiveDFS()).outcomes == ["1", "6"])
    let anywhere = SmallProgram("any random number") { _ in
      var numbers = FakeRandomNumbers()
      return "\(Int.random(in: 1...6, using: &numbers))"
    }
    #expect(anywhere.outcomes(.portfolio, schedules: 300).outcomes == ["1", "2", "3", "4", "5", "6"])
  }

  private func expectEnds<Number: FixedWidthInteger>(of type: Number.Type) {
    for bound in [1, 2, 3, 6, 10, 100, 127].map({ Number($0) }) + [.max] {
      var (low, high) = (FakeRandomNumbers([.lowest]), FakeRandomNumbers([.highest]))
      #expect(Number.random(in: 0..<bound, using: &low) == 0)
      #expect(Number.random(in: 0..<bound, using: &high) == bound - 1)
    }
  }

  @Test func `every kind of number comes to the same end`() {
    expectEnds(of: Int.self)
    expectEnds(of: UInt64.self)
    expectEnds(of: Int32.self)
    expectEnds(of: UInt16.self)
    expectEnds(of: Int8.self)
    var (low, high) = (FakeRandomNumbers([.lowest]), FakeRandomNumbers([.highest]))
    #expect(Double.random(in: 0..<1, using: &low) < 1e-6 && Double.random(in: 0..<1, using: &high) > 1 - 1e-6)
    #expect(Float.random(in: 0..<1, using: &low) < 1e-6 && Float.random(in: 0..<1, using: &high) > 1 - 1e-6)
    #expect(Bool.random(using: &low) != Bool.random(using: &high))
    #expect([1, 2, 3].randomElement(using: &low) == 1 && [1, 2, 3].randomElement(using: &high) == 3)
    #expect(Set((1...9).shuffled(using: &high)).count == 9)
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
