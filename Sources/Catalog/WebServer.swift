import Foundation
import Scenarios
import Simulator
import SimulatorHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension World {
  /// The web server called `name` in the descriptor, which answers every `URLSession` of the execution. A reply
  /// that is no failure gets the body that `body` makes of the request.
  @discardableResult
  func webServer(_ name: String = "server", body: @escaping @Sendable (URLRequest) -> String) -> FakeHTTP {
    let server = fake(name) { behaviors in
      FakeHTTP(behaviors, named: name) { request, reply in
        reply.error == nil ? .ok(body(request)) : reply
      }
    }
    #if canImport(FoundationNetworking)
      if let simulation = Simulation.current { server.interceptURLSession(in: simulation) }
    #endif
    return server
  }
}
