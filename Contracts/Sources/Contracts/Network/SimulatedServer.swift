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
        let now = answer.asked(
          ifNoneMatch: request.value(forHTTPHeaderField: "If-None-Match"),
          authorization: request.value(forHTTPHeaderField: "Authorization"))
        return now.reply
      })
  }
}

extension Site.Answer {
  /// The pieces are of one length.
  fileprivate var reply: FakeReply {
    let body = pieces.joined()
    guard breaksOff else {
      let reply = FakeReply.status(status, body, headers: headers)
      return pieces.count > 1 ? reply.inPieces(pieces.count, every: .fixed(pause)) : reply
    }
    let missing = String(repeating: "-", count: pieces[0].utf8.count)
    return FakeReply.status(status, body + missing, headers: headers)
      .inPieces(pieces.count + 1, every: .fixed(pause), lostAfter: pieces.count)
  }

  /// The request gets there at once, and the answer takes its time.
  var behavior: FakeBehavior {
    FakeBehavior(arrivalDelay: .fixed(.zero), delay: .fixed(pause))
  }
}
