import Simulator
import Testing

@testable import SimulatorTestSupport
@testable import SimulatorTesting

/// The labels that `.simulated` had before 0.1.0. A witness of a protocol may use them without a warning.
@Suite struct FormerLabelTests {
  @Test func `a trait with former labels is the one of today`() throws {
    let former: any FormerLabels = Former()
    #expect(!former.search.isContained)
    #expect(!former.replay.isContained)
    guard case .search(let request) = former.search.aim else { throw CancellationError() }
    #expect(request.flaw == "`exhaustiveDeviationBound: -1` covers nothing; it is 0 at least")
    guard case .replay(let token) = former.replay.aim else { throw CancellationError() }
    #expect(token == "debug/#00000000")
  }
}

private protocol FormerLabels {
  var search: SimulatedTrait { get }
  var replay: SimulatedTrait { get }
}

private struct Former: FormerLabels {
  @available(*, deprecated) var search: SimulatedTrait {
    .simulated(exhaustsDeviations: -1, contained: false)
  }

  @available(*, deprecated) var replay: SimulatedTrait {
    .simulated(replaying: "debug/#00000000", contained: false)
  }
}
