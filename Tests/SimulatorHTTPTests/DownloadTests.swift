#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import Testing

  @Suite struct `A download of URLSession in a simulation` {
    private static func text(in file: URL?) -> String {
      file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "nothing"
    }

    @Test func `brings a file with what the server said, after the time that it takes`() {
      let (seen, report) = SessionPrograms.outcomes {
        let start = ContinuousClock.now
        let (file, response) = try await URLSession.shared.download(from: SessionPrograms.profile)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return "\(Self.text(in: file)) \(status) \(start.duration(to: .now))"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["Ada 200 1.0 seconds"])
    }

    @Test func `hands the file to a completion handler`() {
      let (seen, report) = SessionPrograms.outcomes {
        await withCheckedContinuation { waiting in
          URLSession.shared.downloadTask(with: SessionPrograms.profile) { file, _, error in
            waiting.resume(returning: "\(Self.text(in: file)) \(error == nil)")
          }.resume()
        }
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["Ada true"])
    }

    /// One for all, as many programs have it.
    private final class Delegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
      @unchecked Sendable
    {
      // @unchecked Sendable because the delegate queue is serial.
      private(set) var told: [String] = []
      var waiting: CheckedContinuation<Void, Never>?

      func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytes: Int64,
        totalBytesWritten written: Int64, totalBytesExpectedToWrite expected: Int64
      ) {
        told.append("\(bytes) \(written) \(expected)")
      }
      func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL
      ) {
        told.append(text(in: file))
      }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        told.append(error == nil ? "done" : "\((error as? URLError)?.code.rawValue ?? 0)")
        waiting?.resume()
      }
    }

    @Test(arguments: [("/profile", ["3 3 3", "Ada", "done"]), ("/lost", ["-1005"])])
    func `tells a delegate of its bytes, of the file and of its end`(path: String, told: [String]) {
      let server = FakeHTTP([
        "GET /profile": [FakeBehavior(delay: .seconds(1), replies: [.ok("Ada")])],
        "GET /lost": [FakeBehavior(replies: [.connectionLost])],
      ])
      let (seen, report) = SessionPrograms.outcomes(of: server) {
        let delegate = Delegate()
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
        await withCheckedContinuation { waiting in
          delegate.waiting = waiting
          session.downloadTask(with: SessionPrograms.at(path)).resume()
        }
        return delegate.told.joined(separator: ", ")
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == [told.joined(separator: ", ")])
    }

    @Test func `tells only the delegate that was given to it`() {
      let (seen, report) = SessionPrograms.outcomes {
        let (whole, own) = (Delegate(), Delegate())
        let session = URLSession(configuration: .default, delegate: whole, delegateQueue: nil)
        _ = try await session.download(from: SessionPrograms.profile, delegate: own)
        _ = await withCheckedContinuation { waiting in
          session.downloadTask(with: SessionPrograms.profile) { file, _, _ in waiting.resume(returning: file)
          }
          .resume()
        }
        return "\(whole.told) \(own.told)"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == [#"[] ["3 3 3"]"#])
    }

    @Test func `has an empty file where the body is empty, and one for each`() {
      let server = FakeHTTP(otherwise: FakeBehavior(replies: [.ok("")]))
      let (seen, report) = SessionPrograms.outcomes(of: server) {
        let (first, _) = try await URLSession.shared.download(from: SessionPrograms.profile)
        let (second, _) = try await URLSession.shared.download(from: SessionPrograms.profile)
        return "\(try Data(contentsOf: first).count) \(try Data(contentsOf: second).count) \(first == second)"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["0 0 false"])
    }

    @Test func `leaves no file behind but one that was moved`() throws {
      let text = "Ada, who is asked for in this test alone"
      let server = FakeHTTP(otherwise: FakeBehavior(replies: [.ok(text)]))
      let (left, kept) = (Guarded<Set<URL>>([]), Guarded<Set<URL>>([]))
      let own = FileManager.default.temporaryDirectory.appending(
        path: "moved by \(ProcessInfo.processInfo.processIdentifier)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: own) }
      let (_, report) = SessionPrograms.outcomes(of: server, schedules: 20) {
        let (file, _) = try await URLSession.shared.download(from: SessionPrograms.profile)
        let (moved, _) = try await URLSession.shared.download(from: SessionPrograms.profile)
        let place = own.appending(path: "kept")
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.moveItem(at: moved, to: place)
        left.withLock { _ = $0.insert(file) }
        kept.withLock { _ = $0.insert(place) }
        return ""
      }
      #expect(report.violations.map(\.message) == [])
      #expect(kept.withLock { $0.map { Self.text(in: $0) } } == [text])
      // A test beside this one may have a file of the same name.
      #expect(left.withLock { !$0.isEmpty && $0.allSatisfy { Self.text(in: $0) != text } })
    }
  }
#endif
