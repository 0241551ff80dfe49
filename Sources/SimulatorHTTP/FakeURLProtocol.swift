internal import Foundation
internal import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  /// Hands the requests of a session over to the server of the simulation.
  final class FakeURLProtocol: URLProtocol {
    static let name = "the server of URLSession"

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

    private enum State { case new, loading, answered, stopped }
    private var state = State.new
    private var loading: Task<Void, Never>?
    /// What has come, and is told as soon as the session's task is not suspended.
    private var answer: Answer?

    /// Is called when the session's task is resumed, as often as that happens.
    override func startLoading() {
      guard state == .new, let server = Self.server else { return tell() }
      state = .loading
      // Safe: a simulation runs one thing at a time, and nothing comes between a look at `state` and its change.
      nonisolated(unsafe) let loader = self
      loading = Task(name: "loads \(request.route)") {
        unsafe loader.answer = await loader.load(from: server)
        unsafe loader.tell()
      }
      // It may have been stopped before the task was known.
      if state == .stopped { loading?.cancel() }
    }

    /// Is called when the session's task is suspended, and when it is canceled.
    override func stopLoading() {
      guard task?.stateAsItIs == .canceling else { return }
      if state != .answered { state = .stopped }
      loading?.cancel()
    }

    private func tell() {
      guard state == .loading, task?.stateAsItIs != .suspended, let answer, let client else { return }
      state = .answered
      switch answer {
      case .success((let data, let response)):
        client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        if let task = task as? URLSessionDownloadTask {
          guard write(data, of: task) else {
            return client.urlProtocol(self, didFailWithError: URLError(.cannotCreateFile))
          }
        } else if !data.isEmpty {
          client.urlProtocol(self, didLoad: data)
        }
        client.urlProtocolDidFinishLoading(self)
      case .failure(let error): client.urlProtocol(self, didFailWithError: error)
      }
    }
  }
#endif
