public import Simulator

#if canImport(FoundationNetworking)
  // Names as they were before 0.1.0.

  extension FakeHTTP {
    @available(*, deprecated, renamed: "interceptURLSession(in:)")
    public func answersURLSession(in simulation: Simulation) { interceptURLSession(in: simulation) }
  }
#endif
