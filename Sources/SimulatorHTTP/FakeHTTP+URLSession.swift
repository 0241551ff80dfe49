internal import CConcurrencyHooks
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
    /// the request's `timeoutInterval`, in virtual time.
    ///
    /// The last server that was told so answers. Must be called in the simulation. Not on Darwin, where a configuration
    /// cannot be reached this way: there a session gets ``FakeHTTP`` by a seam.
    public func answersURLSession(in simulation: Simulation) {
      _ = FakeURLProtocol.isInstalled
      simulation.attach(self, named: FakeURLProtocol.name)
    }
  }

  /// Hands the requests of a session over to the server of the simulation.
  final class FakeURLProtocol: URLProtocol {
    static let name = "the server of URLSession"
    private var loading: Task<Void, Never>?

    /// `URLSession.shared` asks the classes that are registered, any other session its configuration.
    static let isInstalled: Bool = {
      unsafe ch_configures_sessions { configuration in
        // Safe: the hook is called with a configuration that has just been made.
        let configuration = unsafe Unmanaged<URLSessionConfiguration>.fromOpaque(configuration)
          .takeUnretainedValue()
        configuration.protocolClasses = [FakeURLProtocol.self] + (configuration.protocolClasses ?? [])
      }
      return URLProtocol.registerClass(FakeURLProtocol.self)
    }()

    private static var server: FakeHTTP? { Simulation.current?.attached(name) as? FakeHTTP }

    override class func canInit(with request: URLRequest) -> Bool { server != nil }
    override class func canInit(with task: URLSessionTask) -> Bool { server != nil }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// On the queue of its task, as everything that a session does with a task: also the client is told there, and nothing
    /// any more once the loading was stopped.
    override func startLoading() {
      guard let server = Self.server, let queue = CurrentQueue() else { return }
      // Safe: a simulation runs one thing at a time, and the queue keeps what happens to the loader apart.
      nonisolated(unsafe) let loader = self
      let request = request
      loading = Task {
        let result = await server.result(for: request)
        queue.async { unsafe loader.ended(result) }
      }
    }

    override func stopLoading() {
      loading?.cancel()
      loading = nil
    }

    private func ended(_ result: Result<(Data, URLResponse), any Error>) {
      guard loading != nil else { return }
      loading = nil
      switch result {
      case .success((let data, let response)):
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        if !data.isEmpty { client?.urlProtocol(self, didLoad: data) }
        client?.urlProtocolDidFinishLoading(self)
      case .failure(let error): client?.urlProtocol(self, didFailWithError: error)
      }
    }
  }

  /// The queue of Dispatch's on which the code runs that asks for it; the simulation keeps it alive.
  @safe private struct CurrentQueue: @unchecked Sendable {
    private let address: UnsafeMutableRawPointer

    private final class Body {
      let run: () -> Void
      init(_ run: @escaping () -> Void) { self.run = run }
    }

    init?() {
      guard let address = unsafe ch_current_queue() else { return nil }
      unsafe self.address = address
    }

    func async(_ body: @escaping () -> Void) {
      unsafe ch_async(
        address,
        { context in
          // Safe: it is called once, with what is handed over here.
          guard let context = unsafe context else { return }
          unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }, Unmanaged.passRetained(Body(body)).toOpaque())
    }
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
        group.addTask { try await data(for: request) }
        group.addTask {
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
