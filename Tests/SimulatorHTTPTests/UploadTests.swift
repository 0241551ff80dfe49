#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import Testing

  @Suite struct `An upload in a simulation` {
    /// Notes what is told of a task.
    private final class Observer: NSObject, URLSessionTaskDelegate {
      private let told = Guarded<[String]>([])

      var words: String { told.withLock { $0.joined(separator: ", ") } }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
      ) {
        told.withLock { $0.append("sent \(totalBytesSent) of \(totalBytesExpectedToSend)") }
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
      ) {
        told.withLock { $0.append(error == nil ? "over" : "failed") }
      }
    }

    /// What the server got and the delegate was told, when that is over and when the body has just been sent.
    private func observed(
      _ task: @escaping @Sendable (URLSession, URLRequest) throws -> URLSessionTask
    ) -> (seen: Set<String>, report: Explorer.Report) {
      let behavior = FakeBehavior(arrivalDelay: .seconds(1), delay: .seconds(2), replies: [.ok()])
      return SessionPrograms.outcomes(
        of: FakeHTTP(["PUT /profile": [behavior]]) { request, _ in
          .status(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == "Ada" ? 200 : 400)
        }
      ) {
        let observer = Observer()
        let session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
        var request = URLRequest(url: SessionPrograms.profile)
        request.httpMethod = "PUT"
        let loading = try task(session, request)
        loading.resume()
        try await Task.sleep(for: .milliseconds(1_500))
        let halfWay = observer.words
        try await Task.sleep(for: .seconds(5))
        let status = (loading.response as? HTTPURLResponse)?.statusCode ?? 0
        return "\(halfWay); \(observer.words); \(status)"
      }
    }

    @Test func `that arrives twice is with the server twice, and the delegate is told once`() {
      let requests = Guarded<[String]>([])
      let behavior = FakeBehavior(arrivalDelay: .seconds(1), delay: .seconds(2), faults: [.arrivesTwice])
      let server = FakeHTTP(["PUT /profile": [behavior]]) { request, reply in
        requests.withLock { $0.append(request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? "") }
        return reply
      }
      let (seen, report) = SessionPrograms.outcomes(of: server, schedules: 20) {
        let before = requests.withLock(\.count)
        let observer = Observer()
        let session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
        var request = URLRequest(url: SessionPrograms.profile)
        request.httpMethod = "PUT"
        session.uploadTask(with: request, from: Data("Ada".utf8)).resume()
        try await Task.sleep(for: .seconds(9))
        return "\(observer.words); \(requests.withLock { Array($0[before...]) })"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == [#"sent 3 of 3, over; ["Ada", "Ada"]"#])
    }

    @Test func `of data reaches the server, and the delegate is told when it has`() {
      let (seen, report) = observed { $0.uploadTask(with: $1, from: Data("Ada".utf8)) }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["sent 3 of 3; sent 3 of 3, over; 200"])
    }

    @Test func `of a file does the same`() throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID())")
      try Data("Ada".utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let (seen, report) = observed { $0.uploadTask(with: $1, fromFile: file) }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["sent 3 of 3; sent 3 of 3, over; 200"])
    }
  }
#endif
