/// A network that keeps its calls on record: what it answers, and when, is up to the test.
///
/// ```swift
/// let network = FakeNetwork(delay: .seconds(5))
/// let response = try await network.send(FakeNetwork.Request("GET", "/inbox"))
/// #expect(network.calls.completed.count == 1)
/// ```
///
/// Each route has its own behavior, call after call; the last one repeats. Where a behavior offers a range or
/// alternatives, the decision is a choice on the tape. Outside a simulation the network works too: it takes
/// the natural choice, and real time passes.
///
/// A cancelled request ends at once, with `CancellationError` or what else its network was told to throw, unless its
/// behavior ignores cancellation: then it goes on to the end, and the trace says so. What the server has done by then
/// stays done: see ``FakeBehavior/reaches``. It gets there too when the process dies that has sent it: see
/// ``SimulatedProcess/kill()``.
///
/// Its connection can be down for a while, in which nothing gets through: see ``FakeConnection``.
public actor FakeNetwork: CallRecording {
  /// What traces call it.
  public nonisolated let name: String
  private let recorder: CallRecorder
  private let routes: RouteTable
  private let isForAll: Bool
  private let cancellation: any Error

  /// A network on which every route behaves alike.
  public init(
    reaches: FakeTiming? = nil, delay: FakeTiming, spend: FakeTiming = .none,
    replies: [FakeReply] = [.ok()], faults: [FakeFault] = [.never], ignoresCancellation: [Bool] = [false],
    connection: FakeConnection? = nil, named name: String = "network"
  ) {
    self.init(
      otherwise: FakeBehavior(
        reaches: reaches, delay: delay, spend: spend, replies: replies, faults: faults,
        ignoresCancellation: ignoresCancellation),
      connection: connection, named: name)
  }

  /// A network on which the n-th call of a route such as `GET /inbox` takes the n-th of its behaviors, of
  /// which the last repeats, and a route without any behaves as `otherwise` says.
  ///
  /// A route may have a query, as `GET /inbox?page=2`. It takes the requests that have all of it in theirs, in any order
  /// and beside anything else; so a route without one takes every request of its path. Where several would, it is the one
  /// that asks for most, and ``calls`` has the request under the name of that route. Two that ask for the same, and a
  /// request that fits two alike, end the process with a sentence that says what to write.
  ///
  /// - Parameters:
  ///   - routes: The behaviors of each route.
  ///   - otherwise: The behavior of all others. Where it is nil they are answered at once, and a test with routes that passes
  ///     warns of a request that none of them fits.
  ///   - cancellation: What a cancelled request throws: `URLError(.cancelled)` where the network stands for a
  ///     `URLSession`.
  ///   - connection: What every call goes over; what its behavior says where that is nil.
  ///   - name: What traces call it.
  public init(
    _ routes: [String: [FakeBehavior]] = [:], otherwise: FakeBehavior? = nil,
    cancellation: any Error = CancellationError(), connection: FakeConnection? = nil,
    named name: String = "network"
  ) {
    self.init(
      routes, otherwise: otherwise ?? FakeBehavior(), isForAll: otherwise != nil || routes.isEmpty,
      cancellation: cancellation, connection: connection, named: name)
  }

  /// The same; where `otherwise` `isForAll`, a request that no route fits is what the test means.
  package init(
    _ routes: [String: [FakeBehavior]], otherwise: FakeBehavior, isForAll: Bool,
    cancellation: any Error = CancellationError(), connection: FakeConnection?, named name: String
  ) {
    self.name = name
    self.isForAll = isForAll
    Simulation.current?.has(routes: routes.keys, of: name)
    self.cancellation = cancellation
    self.routes = RouteTable(routes.keys)
    recorder = CallRecorder(
      name, routes.mapValues { $0.map { $0.over(connection) } }, otherwise: otherwise.over(connection))
  }

  /// Every call so far, in the order in which they began.
  public nonisolated var calls: [CallRecord] { recorder.calls }

  /// Asks `route`, and answers with what `serve` makes of the request when it has reached the server.
  ///
  /// A conformance to an app's own protocol is written with this:
  ///
  /// ```swift
  /// extension FakeNetwork: InboxService {
  ///   nonisolated func letters() async throws -> [Letter] {
  ///     try await exchange("GET /inbox") { request in try Letter.scripted(request.reply.name) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - route: What its behavior is looked up by, with its query if it has one: `GET /inbox?page=2`.
  ///   - detail: What was asked, for the trace.
  ///   - value: The answer as the trace shows it.
  ///   - serve: The server's side. It runs once, in one step, after the delay; not at all when the call fails
  ///     before it has reached the server. What it throws is what the caller sees.
  /// - Throws: The reply's error, `InjectedFault`, what `serve` throws, what a cancelled request throws, or the
  ///   ``Failure`` of a connection that is down.
  public nonisolated func exchange<Answer: Sendable>(
    _ route: String, _ detail: Trace.Value = .none,
    showing value: @escaping @Sendable (Answer) -> Trace.Value = { _ in .none },
    _ serve: @escaping @Sendable (Served) throws -> Answer
  ) async throws -> Answer {
    try await exchange(route, detail, showing: value, bringing: { try await $1.bring($1.reply) }, serve)
  }

  /// The same; `bring` waits while the body of an answer comes that has found its way back.
  package nonisolated func exchange<Answer: Sendable>(
    _ route: String, _ detail: Trace.Value, showing value: @escaping @Sendable (Answer) -> Trace.Value,
    bringing bring: @escaping @Sendable (Answer, PendingCall) async throws -> Void,
    _ serve: @escaping @Sendable (Served) throws -> Answer
  ) async throws -> Answer {
    let asked = RouteTable.parts(of: route)
    let fitting = routes.route(of: asked.path, query: asked.query)
    if fitting != nil || !isForAll {
      Simulation.current?.requests(fitting ?? route, of: name, isMatched: fitting != nil)
    }
    let route = fitting ?? route
    do {
      return try await recorder.call(route, detail) { try await self.serve($0, value, bring, serve) }
    } catch is CancellationError {
      throw cancellation
    }
  }

  /// The route that takes a request for `path`, which is `GET /inbox`, with `query`; `path` where there is none.
  package nonisolated func route(_ path: String, query: String?) -> String {
    routes.route(of: path, query: query) ?? path
  }

  /// A request as the server sees it.
  public struct Served: Sendable {
    /// The position of the request among the requests of its route, from 1.
    public let number: Int
    /// The reply that was decided on.
    public let reply: FakeReply
    /// Whether the network has delivered this request before: see ``FakeFault/arrivesTwice``.
    public let hasArrivedBefore: Bool
  }

  private func serve<Answer: Sendable>(
    _ call: PendingCall, _ value: @Sendable (Answer) -> Trace.Value,
    _ bring: @Sendable (Answer, PendingCall) async throws -> Void,
    _ serve: @escaping @Sendable (Served) throws -> Answer
  ) async throws -> Answer {
    try await call.endHere(showing: value) {
      let answer = try await call.comingBack {
        try await call.served { served in
          if call.fault == .arrivesTwice { deliverAgain(call, serve) }
          return try serve(served)
        }
      }
      try await bring(answer, call)
      return answer
    }
  }

  /// The request of `call` has arrived, and arrives once more when as much time has passed again as the first took.
  private nonisolated func deliverAgain<Answer: Sendable>(
    _ call: PendingCall, _ serve: @escaping @Sendable (Served) throws -> Answer
  ) {
    // What has become of the caller, and of its process, is nothing to the network.
    Task.detached(name: "\(call.call.operation) arrives again") {
      Simulation.current?.isServed(true)
      await call.travelAgain()
      await self.serveAgain(call, serve)
    }
  }

  private func serveAgain<Answer: Sendable>(_ call: PendingCall, _ serve: (Served) throws -> Answer) {
    call.tookEffect("served again")
    // Nobody waits for this answer, nor for an error in its place.
    _ = try? serve(Served(number: call.number, reply: call.reply, hasArrivedBefore: true))
  }
}

extension PendingCall {
  /// What `serve` makes of a request when it has arrived.
  ///
  /// - Throws: The reply's error, the injected fault, what `serve` throws, or `CancellationError`.
  func served<Answer>(by serve: (FakeNetwork.Served) throws -> Answer) async throws -> Answer {
    Simulation.current?.isServed(true)
    let result: Result<Answer, any Error>
    do { result = .success(try await reached(serve)) } catch { result = .failure(error) }
    if let simulation = Simulation.current {
      simulation.isServed(false)
      // Nobody gets the answer: the process has died that asked, and does not go on.
      if simulation.isOfDeadProcess { await Task.yield() }
    }
    return try result.get()
  }

  private func reached<Answer>(_ serve: (FakeNetwork.Served) throws -> Answer) async throws -> Answer {
    try await arrive()
    if let error = reply.error { throw error }
    let answer = try serve(FakeNetwork.Served(number: number, reply: reply, hasArrivedBefore: false))
    // Where nothing goes wrong, and the answer is there at once, it shows by itself that the request was served.
    if fault == .afterCommit || fault == .arrivesTwice || reaches != nil { tookEffect("served") }
    try failAfterEffect()
    return answer
  }
}

extension FakeNetwork: FakeNetwork.Transport {
  /// The reply that the request's route is told to give.
  ///
  /// - Throws: The reply's error, `InjectedFault`, or what a cancelled request throws.
  public nonisolated func send(_ request: FakeNetwork.Request) async throws -> FakeNetwork.Response {
    try await exchange(
      route(request.route, query: request.query), request.body.isEmpty ? .none : .text(request.body),
      showing: { .record([.init("status", .int($0.status)), .init("body", .text($0.body))]) },
      { FakeNetwork.Response(status: $0.reply.status, body: $0.reply.body) })
  }
}
