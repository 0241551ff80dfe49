internal import Foundation
internal import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  extension FakeURLProtocol {
    typealias Answer = Result<(Data, URLResponse), any Error>

    /// The answer of `server` to the request.
    func load(from server: FakeHTTP) async -> Answer {
      do {
        return .success(try await server.data(for: request, within: limit(of: request)))
      } catch {
        return .failure(error)
      }
    }

    private func limit(of request: URLRequest) -> Duration { .seconds(request.timeoutInterval) }
  }

  extension FakeHTTP {
    /// The same as ``data(for:)``, which fails with `URLError.timedOut` where it takes longer.
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
