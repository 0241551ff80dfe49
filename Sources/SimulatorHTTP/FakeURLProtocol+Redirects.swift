internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  // This follows Foundation on Linux, even if Foundation differs from the standard.
  extension FakeURLProtocol {
    /// Returns the request that follows `response`, if there is one.
    func request(after response: URLResponse, to request: URLRequest) async -> URLRequest? {
      guard let response = response as? HTTPURLResponse, let task, let session = task.ownSession,
        let redirected = request.redirected(by: response)
      else { return nil }
      guard var next = await decided(redirected, after: response, task, session) else { return nil }
      // A body is sent only once.
      next.httpBody = nil
      return next
    }

    /// Returns what the delegate makes of the request; without a delegate, returns the same request with the cookies
    /// for its URL.
    private func decided(
      _ request: URLRequest, after response: HTTPURLResponse, _ task: URLSessionTask, _ session: URLSession
    ) async -> URLRequest? {
      guard let delegate = task.delegate else {
        return request.withCookies(of: session.configuration)
      }
      return await withCheckedContinuation { waiting in
        session.delegateQueue.addOperation {
          delegate.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request
          ) { waiting.resume(returning: $0) }
        }
      }
    }

    func store(_ response: URLResponse) {
      guard let response = response as? HTTPURLResponse, let url = response.url,
        let headers = response.allHeaderFields as? [String: String],
        let configuration = task?.ownSession?.configuration, configuration.httpCookieAcceptPolicy != .never
      else { return }
      let cookies = HTTPCookie.cookies(withResponseHeaderFields: headers, for: url)
      guard !cookies.isEmpty else { return }
      configuration.httpCookieStorage?.setCookies(cookies, for: url, mainDocumentURL: nil)
    }
  }

  extension URLRequest {
    func redirected(by response: HTTPURLResponse) -> URLRequest? {
      guard let location = response.value(forHTTPHeaderField: "Location"), var next = at(location)
      else { return nil }
      switch response.statusCode {
      case 303: next.turnsIntoGet()
      case 301, 302: if httpMethod == "POST" { next.turnsIntoGet() }
      case 305...308: break
      default: return nil
      }
      return next
    }

    /// Returns the request for `location`. A path without a host counts from the root.
    private func at(_ location: String) -> URLRequest? {
      guard let place = URL(string: location) else { return nil }
      let isWhole = place.scheme != nil && place.host != nil
      let path = location.hasPrefix("/") ? location : "/" + location
      guard let url = isWhole ? place : URL(string: path, relativeTo: url)?.absoluteURL else { return nil }
      var next = self
      next.url = url
      return next
    }

    private mutating func turnsIntoGet() {
      httpMethod = "GET"
      httpBody = nil
    }

    fileprivate func withCookies(of configuration: URLSessionConfiguration) -> URLRequest {
      guard configuration.httpShouldSetCookies, let url,
        let cookies = configuration.httpCookieStorage?.cookies(for: url),
        let value = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], !value.isEmpty
      else { return self }
      var request = self
      request.setValue(value, forHTTPHeaderField: "Cookie")
      return request
    }
  }
#endif
