internal import Foundation
public import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  extension FakeHTTP {
    /// Answers all that `URLSession` asks in `simulation` from now on: `URLSession.shared`, and sessions with the
    /// configurations `.default` and `.ephemeral`, with `data(for:)`, completion handlers and delegates.
    ///
    /// ```swift
    /// explore("profile") { simulation in
    ///   FakeHTTP(["GET /profile": [FakeBehavior(delay: .between(.zero, and: .seconds(5)))]]).answersURLSession(in: simulation)
    ///   await Profile().load()  // asks `URLSession.shared`
    /// }
    /// ```
    ///
    /// The program is not changed. The session's own queues carry the answer, under the simulator's schedule; its errors are
    /// `URLSession`'s own: `.cancelled` for a task that is cancelled, `.timedOut` where the whole exchange takes longer than
    /// the request's `timeoutInterval`, in virtual time. A cancel that comes when the answer has been told changes nothing,
    /// as on Darwin; Foundation on Linux may end the process then, which is not shown.
    ///
    /// The last server that was told so answers. Must be called in the simulation. Not on Darwin, where a configuration
    /// cannot be reached this way: there a session gets ``FakeHTTP`` by a seam.
    public func answersURLSession(in simulation: Simulation) {
      _ = FakeURLProtocol.isRegistered
      simulation.attach(self, named: FakeURLProtocol.name)
    }
  }

  /// Hands the requests of a session over to the server of the simulation.
  final class FakeURLProtocol: URLProtocol {
    static let name = "the server of URLSession"
    private var loading: Task<Void, Never>?

    /// `URLSession.shared` asks the classes that are registered, any other session its configuration.
    static let isRegistered = URLProtocol.registerClass(FakeURLProtocol.self)

    static var server: FakeHTTP? { Simulation.current?.attached(name) as? FakeHTTP }

    override class func canInit(with request: URLRequest) -> Bool { server != nil }
    override class func canInit(with task: URLSessionTask) -> Bool { server != nil }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Nobody to tell any more, once the answer has been told. A cancel that comes at the same time would else have the
    /// session look for a task that it has forgotten, which ends the process (Foundation on Linux, 6.3).
    override var client: (any URLProtocolClient)? {
      get { state == .answered ? nil : super.client }
      set { super.client = newValue }
    }

    private enum State { case loading, answered, stopped }
    /// The task that loads may have ended before its maker goes on: what it finds is here.
    private var state = State.loading

    override func startLoading() {
      guard state == .loading, let server = Self.server else { return }
      // Safe: a simulation runs one thing at a time, and nothing comes between a look at `state` and its change.
      nonisolated(unsafe) let loader = self
      let request = request
      loading = Task(name: "loads \(request.route)") {
        let result = await server.result(for: request)
        unsafe loader.answer(result)
      }
      // It may have been stopped before the task was known.
      if state == .stopped { loading?.cancel() }
    }

    override func stopLoading() {
      if state == .loading { state = .stopped }
      loading?.cancel()
    }

    private func answer(_ result: Result<(Data, URLResponse), any Error>) {
      guard state == .loading, let client else { return }
      state = .answered
      switch result {
      case .success((let data, let response)):
        client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        if !data.isEmpty { client.urlProtocol(self, didLoad: data) }
        client.urlProtocolDidFinishLoading(self)
      case .failure(let error): client.urlProtocol(self, didFailWithError: error)
      }
    }
  }

  /// Whether a server answers in the simulation of this thread.
  @_cdecl("simulator_http_serves")
  func simulatorServes() -> Bool { FakeURLProtocol.server != nil }

  /// The session that stands for `URLSession.shared`, which is `real`, in the execution of this thread; nil where no server
  /// answers. The caller owns it.
  @_cdecl("simulator_http_shared")
  func simulatorSharedSession(_ real: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let name = "URLSession.shared"
    guard let simulation = Simulation.current, FakeURLProtocol.server != nil else { return nil }
    if let own = simulation.attached(name) as? URLSession {
      return unsafe Unmanaged.passRetained(own).toOpaque()
    }
    // Safe: the hook is called with the shared session of the process.
    let shared = unsafe Unmanaged<URLSession>.fromOpaque(real).takeUnretainedValue()
    guard let configuration = shared.configuration.copy() as? URLSessionConfiguration else { return nil }
    configuration.protocolClasses = [FakeURLProtocol.self] + (configuration.protocolClasses ?? [])
    let own = URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)
    simulation.attach(own, named: name)
    return unsafe Unmanaged.passRetained(own).toOpaque()
  }

  /// Foundation has made a configuration.
  @_cdecl("simulator_http_configures")
  func simulatorConfigures(_ configuration: UnsafeMutableRawPointer) {
    // Safe: the hook is called with a configuration that has just been made.
    let configuration = unsafe Unmanaged<URLSessionConfiguration>.fromOpaque(configuration)
      .takeUnretainedValue()
    configuration.protocolClasses = [FakeURLProtocol.self] + (configuration.protocolClasses ?? [])
  }

  extension FakeHTTP {
    fileprivate func result(for request: URLRequest) async -> Result<(Data, URLResponse), any Error> {
      do {
        return .success(try await data(for: request, within: .seconds(request.timeoutInterval)))
      } catch {
        return .failure(error)
      }
    }

    /// The same, which fails with `URLError.timedOut` where it takes longer.
    fileprivate func data(for request: URLRequest, within limit: Duration) async throws -> (Data, URLResponse)
    {
      try await withThrowingTaskGroup(of: (Data, URLResponse)?.self) { group in
        group.addTask(name: "asks \(request.route)") { try await data(for: request) }
        group.addTask(name: "limits \(request.route)") {
          try await Task.sleep(for: limit)
          return nil
        }
        defer { group.cancelAll() }
        guard let answer = try await group.next() ?? nil else { throw URLError(.timedOut) }
        return answer
      }
    }
  }
#endif
