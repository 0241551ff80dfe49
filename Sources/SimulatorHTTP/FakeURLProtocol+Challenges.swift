internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  // This follows Foundation on Linux, which knows the challenges of `Basic` only. Where no delegate answers one, the task never
  // ends there.
  extension FakeURLProtocol {
    /// Returns the request with the credential that the delegate has for the challenge in `response`. Returns nil if
    /// that is no challenge, or if there is no delegate to ask.
    ///
    /// - Throws: `URLError.cancelled` if the delegate refuses.
    func request(
      answering response: URLResponse, to request: URLRequest, failures: Int
    ) async throws -> URLRequest? {
      guard let response = response as? HTTPURLResponse, let space = response.challengingSpace,
        let task, let session = task.ownSession, let delegate = task.delegate
      else { return nil }
      tell(of: response)
      let challenge = URLAuthenticationChallenge(
        protectionSpace: space, proposedCredential: nil, previousFailureCount: failures,
        failureResponse: response, error: nil, sender: SilentSender())
      let header: String? = try await withCheckedThrowingContinuation { waiting in
        session.delegateQueue.addOperation {
          delegate.urlSession(session, task: task, didReceive: challenge) { disposition, credential in
            switch disposition {
            case .useCredential: waiting.resume(returning: credential?.basicAuthorization)
            case .performDefaultHandling: waiting.resume(returning: nil)
            case .cancelAuthenticationChallenge, .rejectProtectionSpace:
              waiting.resume(throwing: URLError(.cancelled))
            }
          }
        }
      }
      guard let header else { return await never() }
      var next = request
      next.setValue(header, forHTTPHeaderField: "Authorization")
      return next
    }
  }

  /// Never returns: only a cancel ends the task.
  private func never() async -> URLRequest? {
    await unsafe withUnsafeContinuation { (_: UnsafeContinuation<URLRequest?, Never>) in }
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
