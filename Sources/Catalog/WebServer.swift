import Foundation
import Scenarios
import Simulator
import SimulatorHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension World {
  /// The web server called `name` in the descriptor, which answers every `URLSession` of the execution. A reply
  /// that is no failure gets the body that `body` makes of the request, and traces show it as `shown` says; nil for its status.
  @discardableResult
  func webServer(
    _ name: String = "server", showing shown: (@Sendable (String) -> Trace.Value)? = nil,
    body: @escaping @Sendable (URLRequest) -> String
  ) -> FakeHTTP {
    let server = fake(name) { behaviors in
      let server = FakeHTTP(behaviors, named: name) { request, reply in
        reply.error == nil ? .ok(body(request)) : reply
      }
      guard let shown else { return server }
      return server.showing { $0.status < 400 ? shown($0.body) : .record([.init("status", .int($0.status))]) }
    }
    #if canImport(FoundationNetworking)
      if let simulation = Simulation.current { server.interceptURLSession(in: simulation) }
    #endif
    return server
  }
}
