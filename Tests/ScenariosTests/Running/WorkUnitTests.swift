import Foundation
import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// What a worker says that it has found is read when it is lost.
@Suite struct WorkUnitTests {
  private var unit: WorkUnit {
    WorkUnit(
      scenario: 0,
      expectation: Expectation(
        variant: "naive", outcome: .holds, position: SourcePosition(line: 1, column: 1)))
  }

  private func said(_ messages: String...) throws -> Data {
    var explorer = Explorer(name: "test") { simulation in
      for message in messages { simulation.fail("rule \(message)", message) }
    }
    explorer.budget.schedules = 1
    return try JSONEncoder().encode(explorer.explore().violations)
  }

  @Test func `what replaces what was found first is kept, and what is new`() throws {
    var unit = unit
    unit.keep(try said("a"))
    unit.keep(try said("a", "b"))
    try unit.read()
    #expect(unit.found.map(\.invariant) == ["rule a", "rule b"])
  }

  @Test func `what is no list of violations is garbled, and the rest is read`() throws {
    var unit = unit
    unit.keep(Data("[1]".utf8))
    unit.keep(try said("a"))
    #expect(throws: WorkerLost.garbled) { try unit.read() }
    #expect(unit.found.map(\.invariant) == ["rule a"])
    try unit.read()
  }
}
