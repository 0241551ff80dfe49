internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  // This follows Foundation on Linux, which knows the challenges of `Basic` only. Where no delegate answers one, the task never
  // ends there.
  extension FakeURLProtocol {
    /// Returns the request with the credential that the delegate has for the challenge in `response`. Returns nil if
    /// that is no challenge. Without a delegate it returns nil, too: the 401 goes to Foundation, which never ends the task.
    ///
    /// - Throws: `URLError.cancelled` if the delegate refuses, or the task is canceled.
    func request(
      answering response: URLResponse, to request: URLRequest, failures: Int
    ) async throws -> URLRequest? {
      guard let response = response as? HTTPURLResponse, let space = response.challengingSpace,
        let task, let session = task.ownSession, let delegate = task.delegate
      else { return nil }
      guard tell(of: response) else { throw URLError(.cancelled) }
      let challenge = URLAuthenticationChallenge(
        protectionSpace: space, proposedCredential: nil, previousFailureCount: failures,
        failureResponse: response, error: nil, sender: SilentSender())
      // A stream, because who waits for its element may be canceled. Where the delegate leaves the challenge to Foundation, none
      // comes.
      let (decisions, decision) = AsyncStream.makeStream(of: String?.self)
      session.delegateQueue.addOperation {
        delegate.urlSession(session, task: task, didReceive: challenge) { disposition, credential in
          switch disposition {
          case .useCredential: if let credential { decision.yield(credential.basicAuthorization) }
          case .performDefaultHandling: break
          case .cancelAuthenticationChallenge, .rejectProtectionSpace: decision.yield(nil)
          }
        }
      }
      let first = await decisions.first { _ in true }
      withExtendedLifetime(decision) {}
      guard case .some(.some(let header)) = first else { throw URLError(.cancelled) }
      var next = request
      next.setValue(header, forHTTPHeaderField: "Authorization")
      return next
    }
  }

  /// The sender of a challenge that a completion handler answers. Foundation's own traps when it is used.
  private final class SilentSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
  }

  extension HTTPURLResponse {
    /// What the response asks a credential for, if it does.
    var challengingSpace: URLProtectionSpace? {
      guard statusCode == 401, let host = url?.host,
        let field = value(forHTTPHeaderField: "WWW-Authenticate"),
        field.lowercased().hasPrefix("basic"),
        let start = field.range(of: "realm=\"", options: .caseInsensitive)?.upperBound
      else { return nil }
      let realm = field[start...].prefix { $0 != "\"" }
      return URLProtectionSpace(
        host: host, port: url?.port ?? (url?.scheme == "http" ? 80 : 443), protocol: url?.scheme,
        realm: String(realm), authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    }
  }

  extension URLCredential {
    fileprivate var basicAuthorization: String {
      "Basic " + Data("\(user ?? ""):\(password ?? "")".utf8).base64EncodedString()
    }
  }
#endif
