public import Foundation
public import Simulator

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An HTTP server, and the connection to it, that keeps its calls on record. The test decides what it answers, and
/// when.
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
/// A route is a method and a path, and may have a query, as in `GET /profile?of=ada`. It takes the requests whose query
/// contains all of its own, in any order and beside anything else. If several routes fit, the one that asks for most
/// takes the request. Its n-th call takes the n-th of its behaviors, and the last repeats. If a behavior offers a range
/// or alternatives, the decision is a choice on the tape. Outside a simulation the natural choice is taken, and real
/// time passes.
///
/// It fails as `URLSession` does, with `URLError`: `.cancelled` as soon as the caller is cancelled, unless the behavior
/// ignores that; `.notConnectedToInternet`, `.timedOut` and `.networkConnectionLost` for `FakeReply.offline`,
/// `FakeReply.timedOut` and `FakeReply.connectionLost`; `.networkConnectionLost` for an injected fault. If a
/// `FakeConnection` is down for a while, requests fail with `.notConnectedToInternet` or `.networkConnectionLost`. It
/// never times out by itself: it does not read a request's `timeoutInterval`.
public struct FakeHTTP: FakeHTTP.Transport, CallRecording {
  private let network: FakeNetwork
  private let answer: @Sendable (URLRequest, FakeReply) throws -> FakeReply
  private var shown: @Sendable (FakeReply) -> Trace.Value = { .int($0.status) }

  /// Makes a server with these routes. Any other request gets the behavior of `otherwise`, which is 404 if it is nil.
  /// In that case, a passing test warns of a request that no route fits.
  ///
  /// A route that no request can ask for ends the process with a message that says what to write.
  ///
  /// - Parameters:
  ///   - routes: The behaviors of each route.
  ///   - otherwise: The behavior of all others.
  ///   - connection: The connection of every request; if it is nil, the one that the request's behavior gives.
  ///   - name: Its name in traces.
  ///   - answer: The server's side: turns the chosen reply into the one that is sent. It runs once, in one step, when
  ///     the request has arrived. The caller gets the error that it throws.
  public init(
    _ routes: [String: [FakeBehavior]] = [:],
    otherwise: FakeBehavior? = nil,
    connection: FakeConnection? = nil, named name: String = "http",
    answering answer: @escaping @Sendable (URLRequest, FakeReply) throws -> FakeReply = { $1 }
  ) {
    if let (route, flaw) = routes.keys.sorted().lazy.compactMap({ key in key.flaw.map { (key, $0) } }).first {
      // This is a mistake in the test's code. It is not a `precondition`, because an optimized build drops its message.
      fatalError("no request asks the fake \(name) for “\(route)”: \(flaw)")
    }
    network = FakeNetwork(
      routes, otherwise: otherwise ?? FakeBehavior(replies: [.status(404, named: "not found")]),
      isForAll: otherwise != nil, connection: connection, named: name)
    self.answer = answer
  }

  /// The same server, whose answers are shown in traces as `value` says, and not by their status alone. An answer with a
  /// status of 400 or above must still show it.
  package func showing(_ value: @escaping @Sendable (FakeReply) -> Trace.Value) -> FakeHTTP {
    var server = self
    server.shown = value
    return server
  }

  public var name: String { network.name }
  public var calls: [CallRecord] { network.calls }

  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await data(for: request, whenSent: nil, onArrival: nil)
  }

  /// A part of an answer whose body arrives in pieces.
  enum Part: Sendable {
    case response(HTTPURLResponse, bytes: Int)
    case piece(Data)
  }

  /// Does the same. It calls `tell` when the request has reached the server, and `arrive` when a part of an answer in
  /// pieces has arrived.
  func data(
    for request: URLRequest, whenSent tell: (@Sendable () -> Void)?,
    onArrival arrive: (@Sendable (Part) -> Void)?
  ) async throws -> (Data, URLResponse) {
    guard let url = request.url else { throw URLError(.badURL) }
    do {
      let reply = try await network.exchange(
        network.route(request.route, query: request.url?.query), request.detail,
        showing: shown,
        bringing: { reply, call in
          try await call.bring(reply) { number in
            if let arrive, let part = reply.part(number, for: url) { arrive(part) }
          }
        },
        { [answer] served in
          if !served.hasArrivedBefore { tell?() }
          return try answer(request, served.reply)
        })
      if let error = reply.error { throw error }
      guard let response = reply.response(for: url) else { throw URLError(.badServerResponse) }
      return (Data(reply.body.utf8), response)
    } catch {
      throw error.asOfURLSession(for: url)
    }
  }
}

extension FakeReply {
  fileprivate func response(for url: URL) -> HTTPURLResponse? {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
  }

  fileprivate func part(_ number: Int, for url: URL) -> FakeHTTP.Part? {
    number == 0
      ? response(for: url).map { .response($0, bytes: body.utf8.count) } : .piece(Data(piece(number)))
  }
}

extension FakeHTTP {
  /// Returns the body and the response to `request` as `data(for:)` does. `delegate` is never called.
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) {
    try await data(for: request)
  }
}

extension URLRequest {
  /// The name by which a ``FakeHTTP`` looks up its behavior, unless it has a route with just this query:
  /// `GET /profile`.
  public var route: String {
    let path = url?.path ?? ""
    return (httpMethod ?? "GET") + " " + (path.isEmpty ? "/" : path)
  }

  /// The details of the request in a trace: the query and the body.
  fileprivate var detail: Trace.Value {
    let body = httpBody.map { String(decoding: $0, as: UTF8.self) }
    let parts = [url?.query.map { "?" + $0 }, body].compactMap { $0 }
    return parts.isEmpty ? .none : .text(parts.joined(separator: " "))
  }
}

extension String {
  /// The advice for a route that no request asks for; nil for any other.
  fileprivate var flaw: String? {
    let parts = split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("/"), !contains("#") else {
      return "write a method, a space and a path, as `GET /profile` or `GET /profile?of=ada`"
    }
    // `URL.path` omits the last slash.
    let path = parts[1].prefix { $0 != "?" }
    return path.count > 1 && path.hasSuffix("/")
      ? "write its path without the last slash, which is left out of requests too" : nil
  }
}

extension Error {
  /// Returns the error that `URLSession` throws in its place.
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
