import Foundation
import Synchronization

/// What a server has under its routes, and what it has done.
public final class Site: Sendable {
  /// One answer.
  struct Answer: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    /// The body, which comes in these pieces.
    var pieces = ["Ada"]
    /// How long after the request has arrived the response goes out, and each piece after what comes before it. A single
    /// piece goes out with the response.
    var pause = Duration.zero
    /// The answer is 304 where the request names this tag.
    var tag: String?
    /// The answer is 401 and asks for a password, unless the request has this one of Ada's.
    var password: String?
    /// The server closes the connection amid the body.
    var breaksOff = false

    /// The answer to a request with these header fields.
    func asked(ifNoneMatch: String?, authorization: String?) -> Answer {
      var answer = self
      if let password, authorization != "Basic \(Data("ada:\(password)".utf8).base64EncodedString())" {
        answer.headers["WWW-Authenticate"] = "Basic realm=\"home\""
        (answer.status, answer.pieces) = (401, [])
        return answer
      }
      guard let tag else { return self }
      answer.headers["ETag"] = tag
      guard ifNoneMatch == tag else { return answer }
      (answer.status, answer.pieces) = (304, [])
      return answer
    }
  }

  /// The answers by route, as `GET /profile` or `GET /profile?of=ada`.
  let routes: [String: Answer]
  private let requests = Mutex<[String]>([])

  init(_ routes: [String: Answer]) { self.routes = routes }

  /// What the server has acted on, in order.
  var acted: String {
    let requests = requests.withLock(\.self)
    return requests.isEmpty ? "nothing" : requests.joined(separator: ", ")
  }

  /// The server acts on a request.
  func act(on request: String) { requests.withLock { $0.append(request) } }
}
