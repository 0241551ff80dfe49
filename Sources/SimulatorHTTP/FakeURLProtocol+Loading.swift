internal import Foundation
internal import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  extension FakeURLProtocol {
    typealias Answer = Result<(Data, URLResponse), any Error>

    /// Returns the answer of `server` to the request, or to the last request that redirects and challenges lead to.
    func load(from server: FakeHTTP) async -> Answer {
      let configuration = task?.ownSession?.configuration
      var request = request
      if request.httpBody == nil { request.httpBody = task?.uploadedBody }
      let whenSent = tellsOfBody(of: request)
      var (redirects, failures) = (0, 0)
      do {
        while redirects <= Self.mostRedirects {
          let limit = request.limit(in: configuration)
          let hasBody = request.httpBody != nil
          let answer = try await server.data(
            for: request, within: limit, whenSent: hasBody ? whenSent : nil, onArrival: hears(request))
          store(answer.1)
          if let next = await self.request(after: answer.1, to: request) {
            request = next
            redirects += 1
          } else if let next = try await self.request(answering: answer.1, to: request, failures: failures) {
            request = next
            failures += 1
          } else {
            return .success(answer)
          }
        }
        return .failure(URLError(.httpTooManyRedirects))
      } catch {
        return .failure(error)
      }
    }

    /// Returns a closure that takes the parts of an answer, unless the answer leads to another request.
    private func hears(_ request: URLRequest) -> @Sendable (FakeHTTP.Part) -> Void {
      // Safe: as in `startLoading`.
      nonisolated(unsafe) let loader = self
      let leadsOn = Guarded(false)
      return { part in
        if case .response(let response, _) = part {
          let isChallenge = response.challengingSpace != nil
          let leads = isChallenge || request.redirected(by: response) != nil
          leadsOn.withLock { $0 = leads }
        }
        if !leadsOn.withLock({ $0 }) { unsafe loader.hear(part) }
      }
    }

    /// Returns a closure that notifies the delegate that the server has the body; nil if there is no such delegate or
    /// body.
    private func tellsOfBody(of request: URLRequest) -> (@Sendable () -> Void)? {
      guard let task, let session = task.ownSession, let delegate = task.toldDelegate,
        let count = request.httpBody.map({ Int64($0.count) }), count > 0
      else { return nil }
      return {
        session.delegateQueue.addOperation {
          delegate.urlSession(
            session, task: task, didSendBodyData: count, totalBytesSent: count,
            totalBytesExpectedToSend: count)
        }
      }
    }

    private static var mostRedirects: Int { 20 }
  }

  extension URLRequest {
    /// Returns the time that an exchange may take, as in Foundation on Linux. An interval that was assigned to the
    /// request takes precedence over that of its session, even if both are the default. Whole seconds count, and less
    /// than one second becomes a millisecond.
    func limit(in configuration: URLSessionConfiguration?) -> Duration {
      let configured = configuration?.timeoutIntervalForRequest ?? timeoutInterval
      let limit = isTimeoutIntervalAssigned ? timeoutInterval : configured
      return limit < 1 ? .milliseconds(1) : .seconds(min(limit, 1e9).rounded(.down))
    }

    private var isTimeoutIntervalAssigned: Bool {
      // Safe: this only reads. A request is a reference followed by a flag that is set if an interval was assigned.
      unsafe withUnsafeBytes(of: self) { bytes in
        let place = MemoryLayout<Int>.size
        guard bytes.count == place + 1 else { return false }
        return unsafe bytes[place] & 1 == 1
      }
    }
  }

  extension FakeHTTP {
    /// Does the same as ``data(for:)``, but fails with `URLError.timedOut` if it takes longer than `limit`.
    fileprivate func data(
      for request: URLRequest, within limit: Duration, whenSent tell: (@Sendable () -> Void)?,
      onArrival hear: @escaping @Sendable (Part) -> Void
    ) async throws -> (Data, URLResponse) {
      let last = LastArrival()
      return try await withThrowingTaskGroup(of: (Data, URLResponse)?.self) { group in
        group.addTask(name: "request \(request.route)") {
          try await data(for: request, whenSent: tell) { part in
            last.note()
            hear(part)
          }
        }
        group.addTask(name: "timeout of \(request.route)") {
          try await Task.sleep(for: limit)
          // Each part that arrives restarts the time.
          while let rest = last.rest(of: limit) { try await Task.sleep(for: rest) }
          return nil
        }
        defer { group.cancelAll() }
        guard let answer = try await group.next() ?? nil else { throw URLError(.timedOut) }
        return answer
      }
    }
  }
#endif
