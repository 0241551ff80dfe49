#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import Testing

  @Suite struct `A body that comes in pieces` {
    /// Notes what is told of a task, and cancels it when it has been told `cancelsAfter` pieces.
    private final class Observer: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
      private let told = Guarded<[String]>([])
      private let start = ContinuousClock.now
      private let cancelsAfter: Int?
      private let pieces = Guarded(0)

      init(cancelsAfter: Int? = nil) { self.cancelsAfter = cancelsAfter }

      var words: String { told.withLock { $0.joined(separator: ", ") } }

      private func note(_ what: String) {
        let time = start.duration(to: .now).components.seconds
        told.withLock { $0.append("\(time): \(what)") }
      }

      func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
      ) {
        note("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(.allow)
      }

      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note(String(decoding: data, as: UTF8.self))
        let count = pieces.withLock { pieces in
          pieces += 1
          return pieces
        }
        if count == cancelsAfter { dataTask.cancel() }
      }

      func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
      ) {
        note("\(bytesWritten), \(totalBytesWritten) of \(totalBytesExpectedToWrite)")
      }

      func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
      ) {
        note("file \(String(decoding: (try? Data(contentsOf: location)) ?? Data(), as: UTF8.self))")
      }

      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note((error as? URLError).map { Self.name(of: $0.code) } ?? "over")
      }

      static func name(of code: URLError.Code) -> String {
        switch code {
        case .cancelled: "cancelled"
        case .networkConnectionLost: "lost"
        case .timedOut: "timed out"
        default: "\(code.rawValue)"
        }
      }
    }

    private func server(_ reply: FakeReply) -> FakeHTTP {
      FakeHTTP(otherwise: FakeBehavior(delay: .seconds(1), replies: [reply]))
    }

    /// What a delegate is told of a request.
    private func told(
      of reply: FakeReply, cancelsAfter: Int? = nil, limit: TimeInterval = 60, schedules: Int = 200,
      _ make: @escaping @Sendable (URLSession) -> URLSessionTask = {
        $0.dataTask(with: SessionPrograms.profile)
      },
      meanwhile: @escaping @Sendable (URLSessionTask) async throws -> Void = { _ in }
    ) -> (seen: Set<String>, report: Explorer.Report) {
      SessionPrograms.outcomes(of: server(reply), schedules: schedules) {
        let observer = Observer(cancelsAfter: cancelsAfter)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = limit
        let session = URLSession(configuration: configuration, delegate: observer, delegateQueue: nil)
        let loading = make(session)
        loading.resume()
        try await meanwhile(loading)
        try await Task.sleep(for: .seconds(20))
        return observer.words
      }
    }

    private static let ada = FakeReply.ok("Ada Lovelace")

    @Test func `is told to a delegate piece by piece, after the response`() {
      let (seen, report) = told(of: Self.ada.inPieces(3, every: .seconds(1)))
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["1: 200, 2: Ada , 3: Love, 4: lace, 4: over"])
    }

    @Test func `has a step for each piece also where it takes no time`() {
      let (seen, report) = told(of: FakeReply.ok("Ada L").inPieces(3))
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["1: 200, 1: Ad, 1: a , 1: L, 1: over"])
    }

    @Test func `takes as long for each piece as the schedule decides`() {
      let (seen, report) = told(of: FakeReply.ok("Ad").inPieces(2, every: .between(.zero, and: .seconds(2))))
      #expect(report.violations.map(\.message) == [])
      #expect(seen.contains("1: 200, 1: A, 1: d, 1: over"))
      #expect(seen.contains("1: 200, 1: A, 3: d, 3: over"))
      #expect(seen.contains("1: 200, 3: A, 5: d, 5: over"))
    }

    @Test func `is not told while the task is suspended`() {
      let (seen, report) = told(
        of: Self.ada.inPieces(3, every: .seconds(1)), schedules: 60,
        meanwhile: { loading in
          try await Task.sleep(for: .milliseconds(2_500))
          loading.suspend()
          try await Task.sleep(for: .seconds(7))
          loading.resume()
        })
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["1: 200, 2: Ada , 9: Love, 9: lace, 9: over"])
    }

    @Test func `ends between two pieces where the connection is lost`() {
      let (seen, report) = told(of: Self.ada.inPieces(3, every: .seconds(1), lostAfter: 2))
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["1: 200, 2: Ada , 3: Love, 4: lost"])
    }

    @Test func `ends with cancelled where a delegate cancels, and no more pieces come`() {
      let (seen, report) = told(of: Self.ada.inPieces(3, every: .seconds(1)), cancelsAfter: 2)
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["1: 200, 2: Ada , 3: Love, 3: cancelled"])
    }

    @Test func `ends with cancelled at any moment, and never with a piece missing`() {
      let pieces = FakeReply.ok("abc").inPieces(3, every: .between(.zero, and: .seconds(1)))
      let (seen, report) = SessionPrograms.outcomes(of: server(pieces), schedules: 1_500) {
        let observer = Observer()
        let session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
        let loading = session.dataTask(with: SessionPrograms.profile)
        loading.resume()
        try await Simulation.sleep(in: .milliseconds(500)...(.milliseconds(4_500)))
        loading.cancel()
        try await Task.sleep(for: .seconds(9))
        return observer.words.filter { !": 0123456789".contains($0) }
      }
      #expect(report.violations.map(\.message) == [])
      let told = ["", ",", ",a,", ",a,b,", ",a,b,c,"]
      #expect(seen == Set(told.map { $0 + "cancelled" } + [",a,b,c,over"]))
    }

    @Test func `begins the request's time anew with each piece`() {
      let (calm, first) = told(of: FakeReply.ok("Ada").inPieces(3, every: .milliseconds(1_900)), limit: 2)
      #expect(first.violations.map(\.message) == [])
      #expect(calm == ["1: 200, 2: A, 4: d, 6: a, 6: over"])
      let (late, second) = told(of: FakeReply.ok("Ada").inPieces(3, every: .seconds(3)), limit: 2)
      #expect(second.violations.map(\.message) == [])
      #expect(late == ["1: 200, 3: timed out"])
    }

    @Test func `is written piece by piece in a download`() {
      let (seen, report) = told(of: Self.ada.inPieces(2, every: .seconds(1))) {
        $0.downloadTask(with: SessionPrograms.profile)
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["2: 6, 6 of 12, 3: 6, 12 of 12, 3: file Ada Lovelace, 3: over"])
    }

    @Test(arguments: [false, true])
    func `is whole for data(for:), also where a delegate is told of the pieces`(hasDelegate: Bool) {
      let (seen, report) = SessionPrograms.outcomes(of: server(Self.ada.inPieces(3, every: .seconds(1)))) {
        let observer = hasDelegate ? Observer() : nil
        let request = URLRequest(url: SessionPrograms.profile)
        let start = ContinuousClock.now
        let (data, _) = try await URLSession.shared.data(for: request, delegate: observer)
        let told = observer.map { "; " + $0.words } ?? ""
        return "\(String(decoding: data, as: UTF8.self)) after \(start.duration(to: .now))\(told)"
      }
      #expect(report.violations.map(\.message) == [])
      // Nobody waits for the delegate's queue.
      let told = hasDelegate ? ["; 1: 200, 2: Ada , 3: Love", "; 1: 200, 2: Ada , 3: Love, 4: lace"] : [""]
      #expect(seen == Set(told.map { "Ada Lovelace after 4.0 seconds" + $0 }))
    }

    @Test func `is not there for data(for:) where the connection is lost, nor in part`() {
      let (seen, report) = SessionPrograms.outcomes(
        of: server(Self.ada.inPieces(3, every: .seconds(1), lostAfter: 2))
      ) {
        do {
          return "\(try await URLSession.shared.data(from: SessionPrograms.profile))"
        } catch let error as URLError {
          return Observer.name(of: error.code)
        }
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["lost"])
    }

    @Test func `of a redirect is not told`() {
      let moved = FakeReply.status(302, "moved", headers: ["Location": "/other"]).inPieces(2)
      let server = FakeHTTP([
        "GET /profile": [FakeBehavior(replies: [moved])],
        "GET /other": [FakeBehavior(replies: [Self.ada.inPieces(2)])],
      ])
      let (seen, report) = SessionPrograms.outcomes(of: server, schedules: 60) {
        let observer = Observer()
        let session = URLSession(configuration: .ephemeral, delegate: observer, delegateQueue: nil)
        session.dataTask(with: SessionPrograms.profile).resume()
        try await Task.sleep(for: .seconds(9))
        return observer.words
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["0: 200, 0: Ada Lo, 0: velace, 0: over"])
    }

    @Test func `takes its time through the seam too, and may be lost there`() async throws {
      let http = server(Self.ada.inPieces(2, every: .seconds(2)))
      let lost = server(Self.ada.inPieces(2, every: .seconds(2), lostAfter: 1))
      let report = explore("seam", schedules: 20) { _ in
        let start = ContinuousClock.now
        let (data, _) = try await http.data(from: SessionPrograms.profile)
        #expect(String(decoding: data, as: UTF8.self) == "Ada Lovelace")
        #expect(start.duration(to: .now) == .seconds(5))
        await #expect(throws: URLError.self) { _ = try await lost.data(from: SessionPrograms.profile) }
        #expect(start.duration(to: .now) == .seconds(10))
      }
      #expect(report.violations.map(\.message) == [])
    }
  }
#endif
