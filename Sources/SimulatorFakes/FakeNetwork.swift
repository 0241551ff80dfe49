public import SimulatorCore
internal import SimulatorKernel

/// A network that keeps its calls on record. The test decides what it answers, and when.
///
/// ```swift
/// let network = FakeNetwork(delay: .seconds(5))
/// let response = try await network.send(FakeNetwork.Request("GET", "/inbox"))
/// #expect(network.calls.completed.count == 1)
/// ```
///
/// Each route has its own behavior, call after call; the last one repeats. If a behavior offers a range or
/// alternatives, the decision is a choice on the tape. Outside a simulation the network works too: it takes the natural
/// choice, and real time passes.
///
/// A cancelled request ends at once, with `CancellationError` or the error that its network was given for this. If its
/// behavior ignores cancellation, it continues to the end, and the trace says so. What the server has done by then
/// stays done: see ``FakeBehavior/arrivalDelay``. A request also gets to the server if the process that sent it dies: see
/// ``SimulatedProcess/kill()``.
///
/// Its connection can be down for a while, and nothing gets through then: see ``FakeConnection``.
public actor FakeNetwork: CallRecording {
  /// Its name in traces.
  public nonisolated let name: String
  private let recorder: CallRecorder
  private let routes: RouteTable
  private let isForAll: Bool
  private let cancellation: any Error

  /// Makes a network on which every route behaves alike.
  public init(
    arrivalDelay: FakeTiming? = nil, delay: FakeTiming, spend: FakeTiming = .none,
    replies: [FakeReply] = [.ok()], faults: [FakeFault] = [.noFault], ignoresCancellation: [Bool] = [false],
    connection: FakeConnection? = nil, named name: String = "network"
  ) {
    self.init(
      otherwise: FakeBehavior(
        arrivalDelay: arrivalDelay, delay: delay, spend: spend, replies: replies, faults: faults,
        ignoresCancellation: ignoresCancellation),
      connection: connection, named: name)
  }

  /// Makes a network on which the n-th call of a route such as `GET /inbox` takes the n-th of its behaviors, and the
  /// last repeats. A route without any behaves like `otherwise`.
  ///
  /// A route may have a query, as in `GET /inbox?page=2`. It takes the requests whose query contains all of its own, in
  /// any order and beside anything else. So a route without a query takes every request of its path. If several routes
  /// fit, the one that asks for most takes the request, and ``calls`` has the request under the name of that route. Two
  /// routes that ask for the same, or a request that fits two routes equally, end the process with a message that says
  /// what to write.
  ///
  /// - Parameters:
  ///   - routes: The behaviors of each route.
  ///   - otherwise: The behavior of all others. If it is nil, they are answered at once, and a passing test that has
  ///     routes warns of a request that fits none of them.
  ///   - cancellation: The error that a cancelled request throws: `URLError(.cancelled)` if the network replaces a
  ///     `URLSession`.
  ///   - connection: The connection of every call; if it is nil, the one that the call's behavior gives.
  ///   - name: Its name in traces.
  public init(
    _ routes: [String: [FakeBehavior]] = [:], otherwise: FakeBehavior? = nil,
    cancellation: any Error = CancellationError(), connection: FakeConnection? = nil,
    named name: String = "network"
  ) {
    self.init(
      routes, otherwise: otherwise ?? FakeBehavior(), isForAll: otherwise != nil || routes.isEmpty,
      cancellation: cancellation, connection: connection, named: name)
  }

  /// Makes the same. If `otherwise` `isForAll`, the test intends that some requests fit no route.
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

  /// Sends a request to `route`, and returns what `serve` makes of the request when it has reached the server.
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
  ///   - route: The name by which its behavior is looked up, with its query if it has one: `GET /inbox?page=2`.
  ///   - detail: The arguments of the request, for the trace.
  ///   - value: The answer as the trace shows it.
  ///   - serve: The server's side. It runs once, in one step, after the delay, or not at all if the call fails before
  ///     it has reached the server. The caller gets the error that it throws.
  /// - Throws: The reply's error, `InjectedFault`, the error that `serve` throws, the error of a cancelled request, or
  ///   the ``Failure`` of a connection that is down.
  public nonisolated func exchange<Answer: Sendable>(
    _ route: String, _ detail: Trace.Value = .none,
    showing value: @escaping @Sendable (Answer) -> Trace.Value = { _ in .none },
    _ serve: @escaping @Sendable (ServedCall) throws -> Answer
  ) async throws -> Answer {
    try await exchange(route, detail, showing: value, bringing: { try await $1.bring($1.reply) }, serve)
  }

  /// Does the same. `bring` waits while the body of an answer arrives, after the way back of its call.
  package nonisolated func exchange<Answer: Sendable>(
    _ route: String, _ detail: Trace.Value, showing value: @escaping @Sendable (Answer) -> Trace.Value,
    bringing bring: @escaping @Sendable (Answer, PendingCall) async throws -> Void,
    _ serve: @escaping @Sendable (ServedCall) throws -> Answer
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

  /// Returns the route that takes a request for `path`, such as `GET /inbox`, with `query`; `path` if there is none.
  package nonisolated func route(_ path: String, query: String?) -> String {
    routes.route(of: path, query: query) ?? path
  }

  /// A request as the server sees it.
  public struct ServedCall: Sendable {
    /// The position of the request among the requests of its route, from 1.
    public let number: Int
    /// The reply that was chosen.
    public let reply: FakeReply
    /// True if the network has delivered this request before: see ``FakeFault/arrivesTwice``.
    public let hasArrivedBefore: Bool
  }

  private func serve<Answer: Sendable>(
    _ call: PendingCall, _ value: @Sendable (Answer) -> Trace.Value,
    _ bring: @Sendable (Answer, PendingCall) async throws -> Void,
    _ serve: @escaping @Sendable (ServedCall) throws -> Answer
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

  /// Delivers the request of `call`, which has just arrived, once more when its way there has passed again.
  private nonisolated func deliverAgain<Answer: Sendable>(
    _ call: PendingCall, _ serve: @escaping @Sendable (ServedCall) throws -> Answer
  ) {
    // The network does not depend on the caller or on the caller's process.
    Task.detached(name: "\(call.call.operation) arrives again") {
      Simulation.current?.isServed(true)
      await call.travelAgain()
      await self.serveAgain(call, serve)
    }
  }

  private func serveAgain<Answer: Sendable>(_ call: PendingCall, _ serve: (ServedCall) throws -> Answer) {
    call.tookEffect("served again")
    // The second answer, or an error in its place, has no receiver.
    _ = try? serve(ServedCall(number: call.number, reply: call.reply, hasArrivedBefore: true))
  }
}

extension PendingCall {
  /// Returns what `serve` makes of a request when it has arrived.
  ///
  /// - Throws: The reply's error, the injected fault, the error that `serve` throws, or `CancellationError`.
  func served<Answer>(by serve: (FakeNetwork.ServedCall) throws -> Answer) async throws -> Answer {
    Simulation.current?.isServed(true)
    let result: Result<Answer, any Error>
    do { result = .success(try await reached(serve)) } catch { result = .failure(error) }
    if let simulation = Simulation.current {
      simulation.isServed(false)
      // The process that asked has died, so it does not resume to get the answer.
      if simulation.isOfDeadProcess { await Task.yield() }
    }
    return try result.get()
  }

  private func reached<Answer>(_ serve: (FakeNetwork.ServedCall) throws -> Answer) async throws -> Answer {
    try await arrive()
    if let error = reply.error { throw error }
    let answer = try serve(FakeNetwork.ServedCall(number: number, reply: reply, hasArrivedBefore: false))
    // If nothing goes wrong and the answer is there at once, the answer itself shows that the request was served.
    if fault == .afterCommit || fault == .arrivesTwice || arrivalDelay != nil { tookEffect("served") }
    try failAfterEffect()
    return answer
  }
}

extension FakeNetwork: FakeNetwork.Transport {
  /// Returns the reply that the request's route is set to give.
  ///
  /// - Throws: The reply's error, `InjectedFault`, or the error of a cancelled request.
  public nonisolated func send(_ request: FakeNetwork.Request) async throws -> FakeNetwork.Response {
    try await exchange(
      route(request.route, query: request.query), request.body.isEmpty ? .none : .text(request.body),
      showing: { .record([.init("status", .int($0.status)), .init("body", .text($0.body))]) },
      { FakeNetwork.Response(status: $0.reply.status, body: $0.reply.body) })
  }
}
