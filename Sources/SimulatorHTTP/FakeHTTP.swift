public import Foundation
public import Simulator

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An HTTP server, and the way to it, that keeps its calls on record: what it answers, and when, is up to the
/// test.
///
/// ```swift
/// let http = FakeHTTP([
///   "GET /profile": [FakeBehavior(delay: .between(.milliseconds(50), and: .seconds(5)), replies: [.json(ada), .offline])],
///   "PUT /profile": [FakeBehavior(replies: [.status(204)])],
/// ])
/// let (data, response) = try await http.data(for: request)
/// #expect(http.received("GET /profile").once)
/// ```
///
/// A route is a method and a path. One with a query, as `GET /profile?of=ada`, is for requests with just that query,
/// which else take the route without one. Its n-th call takes the n-th of its behaviors, of which
/// the last repeats; where one offers a range or alternatives, the decision is a choice on the tape. Outside
/// a simulation the natural choice is taken, and real time passes.
///
/// It fails as `URLSession` does, with `URLError`: `.cancelled` as soon as the caller is cancelled, unless
/// the behavior ignores that; `.notConnectedToInternet`, `.timedOut` and `.networkConnectionLost` for
/// `FakeReply.offline`, `FakeReply.timedOut` and `FakeReply.connectionLost`; `.networkConnectionLost` for an
/// injected fault. It never times out by itself: a request's `timeoutInterval` is not read.
public struct FakeHTTP: FakeHTTP.Transport, CallRecording {
  private let network: FakeNetwork
  private let answer: @Sendable (URLRequest, FakeReply) throws -> FakeReply

  /// A server with these routes; any other answers as `otherwise` says, by itself with 404.
  ///
  /// - Parameters:
  ///   - routes: The behaviors of each route.
  ///   - otherwise: The behavior of all others.
  ///   - name: What traces call it.
  ///   - answer: The server's side: makes the reply that was decided on into the one that is sent. It runs
  ///     once, in one step, when the request has arrived; what it throws is what the caller sees.
  public init(
    _ routes: [String: [FakeBehavior]] = [:],
    otherwise: FakeBehavior = FakeBehavior(replies: [.status(404, named: "not found")]),
    named name: String = "http",
    answering answer: @escaping @Sendable (URLRequest, FakeReply) throws -> FakeReply = { $1 }
  ) {
    network = FakeNetwork(routes, otherwise: otherwise, named: name)
    self.answer = answer
  }

  public var name: String { network.name }
  public var calls: [CallRecord] { network.calls }

  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await data(for: request, whenSent: nil)
  }

  /// The same; `tell` is called when the request has reached the server.
  func data(
    for request: URLRequest, whenSent tell: (@Sendable () -> Void)?
  ) async throws -> (Data, URLResponse) {
    guard let url = request.url else { throw URLError(.badURL) }
    do {
      let reply = try await network.exchange(
        network.route(request.route, query: request.url?.query), request.detail, showing: { .int($0.status) },
        { [answer] served in
          tell?()
          return try answer(request, served.reply)
        })
      if let error = reply.error { throw error }
      guard
        let response = HTTPURLResponse(
          url: url, statusCode: reply.status, httpVersion: "HTTP/1.1", headerFields: reply.headers)
      else { throw URLError(.badServerResponse) }
      return (Data(reply.body.utf8), response)
    } catch {
      throw error.asOfURLSession(for: url)
    }
  }
}

extension FakeHTTP {
  /// The same; `delegate` is told nothing.
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) {
    try await data(for: request)
  }
}

extension URLRequest {
  /// What a ``FakeHTTP`` looks its behavior up by, unless it has a route with just this query: `GET /profile`.
  public var route: String {
    let path = url?.path ?? ""
    return (httpMethod ?? "GET") + " " + (path.isEmpty ? "/" : path)
  }

  /// What a trace shows of it: the query and the body.
  fileprivate var detail: Trace.Value {
    let body = httpBody.map { String(decoding: $0, as: UTF8.self) }
    let parts = [url?.query.map { "?" + $0 }, body].compactMap { $0 }
    return parts.isEmpty ? .none : .text(parts.joined(separator: " "))
  }
}

extension Error {
  /// What `URLSession` throws in its place.
  fileprivate func asOfURLSession(for url: URL) -> any Error {
    let code: URLError.Code
    switch self as any Error {
    case is CancellationError: code = .cancelled
    case FakeNetwork.Failure.offline: code = .notConnectedToInternet
    case FakeNetwork.Failure.timedOut: code = .timedOut
    case is FakeNetwork.Failure, is InjectedFault: code = .networkConnectionLost
    default: return self
    }
    return URLError(code, userInfo: [NSURLErrorFailingURLErrorKey: url])
  }
}
