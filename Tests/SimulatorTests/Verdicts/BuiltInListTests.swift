import Simulator
import Testing

/// The one list of what is checked without being asked.
@Suite struct `The list of built-in checks` {
  @Test func `each check has a name of its own and a sentence`() {
    #expect(Invariant.BuiltIn.checks.count == 13)
    #expect(Set(Invariant.BuiltIn.checks.map(\.name)).count == Invariant.BuiltIn.checks.count)
    #expect(Invariant.BuiltIn.checks.allSatisfy { $0.summary.hasSuffix(".") })
  }

  @Test func `only an error that the program throws has no diagnosis`() {
    #expect(Invariant.BuiltIn.checks.filter { $0.diagnosis == nil }.map(\.name) == [Invariant.BuiltIn.throws])
  }
}
