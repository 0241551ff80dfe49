/// A network that answers as it is told, when it is told, and remembers who asked.
///
/// ```swift
/// let network = FakeNetwork(delay: .seconds(5))
/// let response = try await network.send(NetworkRequest("GET", "/inbox"))
/// #expect(network.calls.completed.count == 1)
/// ```
///
/// Each route has its own behaviour, call after call; the last one repeats. Where a behaviour offers a range or
/// alternatives, the decision is a choice on the tape. Outside a simulation the network works too: it takes the
/// natural choice, and real time passes.
///
/// A cancelled request ends with `CancellationError`, at once, unless its behaviour ignores cancellation: then it goes
/// on to the end, and the trace says so.
public actor FakeNetwork {
  /// What traces call it.
  public nonisolated let name: String
  private let desk: CallDesk

  /// A network on which every route behaves alike.
  public init(
    delay: Timing, spend: Timing = .none, replies: [Reply] = [.ok()], faults: [Fault] = [.never],
    ignoresCancellation: [Bool] = [false], named name: String = "network"
  ) {
    self.init(
      otherwise: Behaviour(
        delay: delay, spend: spend, replies: replies, faults: faults, ignoresCancellation: ignoresCancellation
      ),
      named: name)
  }

  /// A network on which the n-th call of a route such as `GET /inbox` takes the n-th of its behaviours, of which the
  /// last repeats, and a route without any behaves as `otherwise` says.
  public init(
    _ routes: [String: [Behaviour]] = [:], otherwise: Behaviour = Behaviour(), named name: String = "network"
  ) {
    self.name = name
    desk = CallDesk(name, routes, otherwise: otherwise)
  }

  /// Every call so far, in the order in which they began.
  public nonisolated var calls: [CallRecord] { desk.records }

  /// Asks `route`, and answers with what `serve` makes of the request when it has reached the server.
  ///
  /// A conformance to an app's own protocol is written with this:
  ///
  /// ```swift
  /// extension FakeNetwork: InboxService {
  ///   nonisolated func letters() async throws -> [Letter] {
  ///     try await exchange("GET /inbox") { visit in try Letter.scripted(visit.reply.name) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - route: What its behaviour is looked up by.
  ///   - detail: What was asked, for the trace.
  ///   - value: The answer as the trace shows it.
  ///   - serve: The server's side. It runs once, in one step, after the delay; not at all when the call fails before
  ///     it has reached the server. What it throws is what the caller sees.
  /// - Throws: The reply's error, `InjectedFault`, what `serve` throws, or `CancellationError`.
  public nonisolated func exchange<Answer: Sendable>(
    _ route: String, _ detail: Value = .none,
    showing value: @escaping @Sendable (Answer) -> Value = { _ in .none },
    _ serve: @escaping @Sendable (Served) throws -> Answer
  ) async throws -> Answer {
    let (answer, spent) = try await desk.call(route, detail) { visit in
      try await self.serve(visit, value, serve)
    }
    await Simulation.spend(spent)
    return answer
  }

  /// A request as the server sees it.
  public struct Served: Sendable {
    /// The how-manieth request of its route it is, from 1.
    public let number: Int
    /// The reply that was decided on.
    public let reply: Reply
  }

  private func serve<Answer: Sendable>(
    _ visit: Visit, _ value: @Sendable (Answer) -> Value, _ serve: @Sendable (Served) throws -> Answer
  ) async throws -> (Answer, Duration) {
    try await desk.end(visit, showing: { value($0.0) }) {
      (try await desk.served(visit, by: serve), visit.spend)
    }
  }
}

extension CallDesk {
  /// What `serve` makes of a call when its delay is over. What it throws is the reply's error, the injected fault, what
  /// `serve` throws, or `CancellationError`.
  func served<Answer>(
    _ visit: Visit, by serve: (FakeNetwork.Served) throws -> Answer
  ) async throws -> Answer {
    try await visit.wait(visit.delay)
    if visit.fault == .beforeCommit || visit.fault == .torn { throw visit.injectedFault }
    if let error = visit.reply.error { throw error }
    let answer = try serve(FakeNetwork.Served(number: visit.number, reply: visit.reply))
    guard visit.fault != .afterCommit else {
      took(effect: "served", visit)
      throw visit.injectedFault
    }
    return answer
  }
}

extension FakeNetwork: NetworkTransport {
  /// The reply that the request's route is told to give.
  ///
  /// - Throws: The reply's error, `InjectedFault` or `CancellationError`.
  public nonisolated func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    try await exchange(
      request.route, request.body.isEmpty ? .none : .text(request.body),
      showing: { .record([.init("status", .int($0.status)), .init("body", .text($0.body))]) },
      { NetworkResponse(status: $0.reply.status, body: $0.reply.body) })
  }
}
