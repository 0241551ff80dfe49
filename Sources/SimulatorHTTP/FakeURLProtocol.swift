internal import Foundation
internal import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  /// Passes the requests of a session to the server of the simulation.
  final class FakeURLProtocol: URLProtocol {
    static let name = "the server of URLSession"

    /// `URLSession.shared` asks the registered classes; any other session asks its configuration.
    static let isRegistered = URLProtocol.registerClass(FakeURLProtocol.self)

    static var server: FakeHTTP? { Simulation.current?.attached(name) as? FakeHTTP }

    override class func canInit(with request: URLRequest) -> Bool { server != nil }
    override class func canInit(with task: URLSessionTask) -> Bool { server != nil }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Nil once the answer has been delivered, or while its response is being delivered. Otherwise a cancel at the same
    /// time would make the session look for a task that it has forgotten, which ends the process (Foundation on Linux,
    /// 6.3).
    override var client: (any URLProtocolClient)? {
      get { [.answered, .responding, .stoppedResponding].contains(state) ? nil : super.client }
      set { super.client = newValue }
    }

    private enum State { case new, loading, responding, answered, stopped, stoppedResponding }
    private var state = State.new
    private var loading: Task<Void, Never>?
    /// The parts of an answer in pieces that have arrived. They are delivered as soon as the session's task is not
    /// suspended.
    private var parts: [FakeHTTP.Part] = []
    private var listener: Listener?
    /// The answer that has arrived. It is delivered after the parts.
    private var answer: Answer?

    /// Is called each time that the session's task is resumed.
    override func startLoading() {
      guard state == .new, let server = Self.server else { return tell() }
      state = .loading
      // Safe: a simulation runs one thing at a time, and nothing comes between reading `state` and changing it.
      nonisolated(unsafe) let loader = self
      loading = Task(name: "loading \(request.route)") {
        unsafe loader.answer = await loader.load(from: server)
        unsafe loader.tell()
      }
      // The loading may have been stopped before `loading` was set.
      if state == .stopped { loading?.cancel() }
    }

    /// Is called when the session's task is suspended, and when it is cancelled.
    override func stopLoading() {
      guard task?.stateAsItIs == .canceling else { return }
      if state != .answered { state = state == .responding ? .stoppedResponding : .stopped }
      loading?.cancel()
    }

    /// Takes a part that has arrived.
    func hear(_ part: FakeHTTP.Part) {
      if case .response(let response, let bytes) = part {
        store(response)
        listener = Listener(of: task, expecting: bytes)
      }
      guard listener != nil else { return }
      parts.append(part)
      tell()
    }

    private func tell() {
      while state == .loading, task?.stateAsItIs == .running, !parts.isEmpty { tell(parts.removeFirst()) }
      guard state == .loading, task?.stateAsItIs != .suspended, parts.isEmpty, let answer, let client
      else { return }
      state = .answered
      switch answer {
      case .success((let data, let response)): tell(data, response, client)
      case .failure(let error): client.urlProtocol(self, didFailWithError: error)
      }
    }

    /// Tells the delegate of a response that is no answer yet. Returns false if the loading was stopped.
    func tell(of response: HTTPURLResponse) -> Bool {
      if state == .loading, task?.stateAsItIs == .running { tell(.response(response, bytes: 0)) }
      return state == .loading
    }

    private func tell(_ part: FakeHTTP.Part) {
      switch part {
      case .response(let response, _):
        guard task is URLSessionDataTask, let client else { return }
        state = .responding
        client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        if state == .responding { return state = .loading }
        // A cancel came meanwhile and found no client, so the client learns of it here.
        client.urlProtocol(self, didFailWithError: URLError(.cancelled))
      case .piece(let data):
        guard let task else { return }
        listener?.hear(data, of: task)
      }
    }

    private func tell(_ data: Data, _ response: URLResponse, _ client: any URLProtocolClient) {
      let cameInPieces = listener != nil
      if !(cameInPieces && task is URLSessionDataTask) {
        client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      }
      if let task = task as? URLSessionDownloadTask {
        guard write(data, of: task, cameInPieces: cameInPieces) else {
          return client.urlProtocol(self, didFailWithError: URLError(.cannotCreateFile))
        }
      } else if !data.isEmpty, listener?.sharesAnswer ?? true {
        client.urlProtocol(self, didLoad: data)
      }
      client.urlProtocolDidFinishLoading(self)
    }
  }
#endif
