import Foundation
import Simulator
import SimulatorHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Site {
  /// The fake in the server's place: each request reaches it at once, and the answer takes as long as the real one's.
  func served() -> FakeHTTP {
    FakeHTTP(
      routes.mapValues { [$0.behavior] },
      answering: { [self] request, reply in
        let body = request.httpBody.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
        let query = request.url?.query.map { "?" + $0 } ?? ""
        act(on: request.route + query + body)
        guard let answer = routes[request.route + query] ?? routes[request.route] else { return reply }
        if answer.breaksOff { return .connectionLost }
        let now = answer.asked(ifNoneMatch: request.value(forHTTPHeaderField: "If-None-Match"))
        return .status(now.status, now.pieces.joined(), headers: now.headers)
      })
  }
}

extension Site.Answer {
  /// The request gets there at once, and the answer takes its time.
  var behavior: FakeBehavior {
    FakeBehavior(reaches: .fixed(.zero), delay: .fixed(pause * max(1, pieces.count)))
  }
}
