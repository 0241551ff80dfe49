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
/// A route is a method and a path, and may have a query, as `GET /profile?of=ada`: it takes the requests that have all of
/// it in theirs, in any order and beside anything else. Where several routes would, it is the one that asks for most. Its
/// n-th call takes the n-th of its behaviors, of which the last repeats; where one offers a range or alternatives, the
/// decision is a choice on the tape. Outside a simulation the natural choice is taken, and real time passes.
///
/// It fails as `URLSession` does, with `URLError`: `.cancelled` as soon as the caller is cancelled, unless
/// the behavior ignores that; `.notConnectedToInternet`, `.timedOut` and `.networkConnectionLost` for
/// `FakeReply.offline`, `FakeReply.timedOut` and `FakeReply.connectionLost`; `.networkConnectionLost` for an
/// injected fault. A connection that is down for a while, `FakeConnection`, makes requests fail in the first and the third of
/// these ways. It never times out by itself: a request's `timeoutInterval` is not read.
public struct FakeHTTP: FakeHTTP.Transport, CallRecording {
  private let network: FakeNetwork
  private let answer: @Sendable (URLRequest, FakeReply) throws -> FakeReply

  /// A server with these routes; any other answers as `otherwise` says, by itself with 404. Then a test that passes warns of a
  /// request that no route fits.
  ///
  /// A route that no request can ask for ends the process with a sentence that says what to write.
  ///
  /// - Parameters:
  ///   - routes: The behaviors of each route.
  ///   - otherwise: The behavior of all others.
  ///   - connection: What every request goes over; what its behavior says where that is nil.
  ///   - name: What traces call it.
  ///   - answer: The server's side: makes the reply that was decided on into the one that is sent. It runs
  ///     once, in one step, when the request has arrived; what it throws is what the caller sees.
  public init(
    _ routes: [String: [FakeBehavior]] = [:],
    otherwise: FakeBehavior? = nil,
    connection: FakeConnection? = nil, named name: String = "http",
    answering answer: @escaping @Sendable (URLRequest, FakeReply) throws -> FakeReply = { $1 }
  ) {
    if let (route, flaw) = routes.keys.sorted().lazy.compactMap({ key in key.flaw.map { (key, $0) } }).first {
      // A mistake in the code of the test. Not `precondition`: an optimized build drops its sentence.
      fatalError("no request asks the fake \(name) for “\(route)”: \(flaw)")
    }
    network = FakeNetwork(
      routes, otherwise: otherwise ?? FakeBehavior(replies: [.status(404, named: "not found")]),
      isForAll: otherwise != nil, connection: connection, named: name)
    self.answer = answer
  }

  public var name: String { network.name }
  public var calls: [CallRecord] { network.calls }

  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await data(for: request, whenSent: nil, onArrival: nil)
  }

  /// What comes of an answer whose body comes in pieces.
  enum Part: Sendable {
    case response(HTTPURLResponse, bytes: Int)
    case piece(Data)
  }

  /// The same; `tell` is called when the request has reached the server, and `arrive` when a part has come of an answer in
  /// pieces.
  func data(
    for request: URLRequest, whenSent tell: (@Sendable () -> Void)?,
    onArrival arrive: (@Sendable (Part) -> Void)?
  ) async throws -> (Data, URLResponse) {
    guard let url = request.url else { throw URLError(.badURL) }
    do {
      let reply = try await network.exchange(
        network.route(request.route, query: request.url?.query), request.detail,
        showing: { .int($0.status) },
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

extension String {
  /// What to write instead of a route that no request asks for; nil for any other.
  fileprivate var flaw: String? {
    let parts = split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("/"), !contains("#") else {
      return "write a method, a space and a path, as `GET /profile` or `GET /profile?of=ada`"
    }
    // `URL.path` leaves it out.
    let path = parts[1].prefix { $0 != "?" }
    return path.count > 1 && path.hasSuffix("/")
      ? "write its path without the last slash, which is left out of requests too" : nil
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
