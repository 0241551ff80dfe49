import Simulator
import SimulatorHTTP

#if canImport(FoundationNetworking)
  private struct Profile {
    func load() async {}
  }

  private func example() {
    // example
    _ = report
  }
#endif
