#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import SimulatorStrategies
  import Testing

  @Suite struct `URLSession in a simulation` {
    @Test func `answers data(for:) after the time that the server takes`() {
      let (seen, report) = SessionPrograms.outcomes {
        let start = ContinuousClock.now
        let (data, response) = try await URLSession.shared.data(from: SessionPrograms.profile)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return "\(String(decoding: data, as: UTF8.self)) \(status) \(start.duration(to: .now))"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["Ada 200 1.0 seconds"])
    }

    @Test(arguments: [URLSessionConfiguration.default, .ephemeral])
    func `calls back on the delegate queue of a session of its own`(_ configuration: URLSessionConfiguration)
    {
      let (seen, report) = SessionPrograms.outcomes {
        let session = URLSession(configuration: configuration)
        return await withCheckedContinuation { waiting in
          session.dataTask(with: SessionPrograms.profile) { data, _, error in
            DispatchQueue.main.async {
              waiting.resume(returning: "\(data?.count ?? 0) \(error == nil)")
            }
          }.resume()
        }
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["3 true"])
    }

    @Test func `is one session in an execution, and another in the next`() {
      let kept = Guarded<[URLSession]>([])
      let (seen, report) = SessionPrograms.outcomes {
        let first = URLSession.shared
        _ = try await first.data(from: SessionPrograms.profile)
        let isKnown = kept.withLock { kept in
          defer { kept.append(first) }
          return kept.contains { $0 === first }
        }
        let number = first.dataTask(with: SessionPrograms.profile).taskIdentifier
        return "\(first === URLSession.shared) \(isKnown) \(number)"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["true false 2"])
    }

    @Test func `times out in virtual time`() {
      let (seen, report) = SessionPrograms.outcomes {
        var request = URLRequest(url: SessionPrograms.profile)
        request.timeoutInterval = 0.5
        do {
          _ = try await URLSession.shared.data(for: request)
          return "answered"
        } catch let error as URLError {
          return "\(error.code == .timedOut)"
        }
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["true"])
    }

    @Test func `cancels with its own error, or comes too late`() {
      let (seen, report) = SessionPrograms.outcomes {
        let loading = Task {
          do {
            _ = try await URLSession.shared.data(from: SessionPrograms.profile)
            return "answered"
          } catch let error as URLError {
            return "\(error.code == .cancelled)"
          }
        }
        try await Task.sleep(for: .seconds(1))
        loading.cancel()
        return try await loading.value
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["answered", "true"])
    }

    @Test func `tells the server of a cancel that comes as soon as the request is sent`() {
      var explorer = Explorer(name: "early cancel", options: .init(forbidsOutlivingTasks: true)) {
        simulation in
        FakeHTTP(["GET /profile": [FakeBehavior(delay: .seconds(1), replies: [.ok("Ada")])]])
          .interceptURLSession(in: simulation)
        let session = URLSession(configuration: .ephemeral)
        await withCheckedContinuation { waiting in
          let loading = session.dataTask(with: SessionPrograms.profile) { _, _, _ in waiting.resume() }
          loading.resume()
          loading.cancel()
        }
      }
      explorer.strategy = Strategies.DelayBounded(atMost: 2)
      explorer.budget.schedules = 2_000
      #expect(explorer.explore().violations.map(\.message) == [])
    }

    @Test func `answers two requests in either order, and what it does not know with 404`() {
      let (seen, report) = SessionPrograms.outcomes {
        async let profile = URLSession.shared.data(from: SessionPrograms.profile)
        async let other = URLSession.shared.data(from: SessionPrograms.at("/other"))
        let status = (try await other.1 as? HTTPURLResponse)?.statusCode ?? 0
        return "\(try await profile.0.count) \(status)"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["3 404"])
    }

    private final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
      // @unchecked Sendable because the delegate queue is serial.
      private(set) var text = ""
      var waiting: CheckedContinuation<Void, Never>?

      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        text += String(decoding: data, as: UTF8.self)
      }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        text += error == nil ? "." : "!"
        waiting?.resume()
      }
    }

    @Test func `tells a delegate`() {
      let (seen, report) = SessionPrograms.outcomes {
        let delegate = Delegate()
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
        await withCheckedContinuation { waiting in
          delegate.waiting = waiting
          session.dataTask(with: SessionPrograms.profile).resume()
        }
        return delegate.text
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["Ada."])
    }

    @Test func `leaves no descriptor open where a task is never resumed`() throws {
      try Self.leaveBehind(deadlocks: false)
    }

    /// In a process of their own: a thread of another test could still signal, and the report says so.
    @Test func `leaves no descriptor open where its execution ends in a deadlock`() async {
      await #expect(processExitsWith: .success) { try Self.leaveBehind(deadlocks: true) }
    }

    /// A session has two descriptors, and each execution leaves one behind.
    private static func leaveBehind(deadlocks: Bool) throws {
      let before = try Self.descriptors
      var explorer = Explorer(name: "left behind") { simulation in
        FakeHTTP(["GET /profile": [FakeBehavior(replies: [.ok("Ada")])]]).interceptURLSession(in: simulation)
        if !deadlocks {
          _ = URLSession.shared.dataTask(with: SessionPrograms.profile) { _, _, _ in }
          return
        }
        await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
          URLSession.shared.dataTask(with: SessionPrograms.profile) { _, _, _ in
            DispatchSemaphore(value: 0).wait()
            waiting.resume()
          }.resume()
        }
      }
      explorer.budget.schedules = 400
      explorer.budget.violationsToFind = nil
      explorer.strategy = Strategies.RandomWalk()
      let report = explorer.explore()
      #expect(report.schedules == 400, "\(report)")
      #expect(report.violations.isEmpty != deadlocks)
      // Other tests of this process open some, and close them.
      #expect(try Self.descriptors - before < 400)
    }

    private static var descriptors: Int {
      get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }

    private final class OwnSession: URLSession, @unchecked Sendable {
      // @unchecked Sendable because it adds nothing.
    }

    /// It calls the initializer that an optimized program calls too.
    @Test func `answers a session of a class of the program's own`() {
      let (seen, report) = SessionPrograms.outcomes(schedules: 20) {
        let (data, _) = try await OwnSession(configuration: .ephemeral).data(from: SessionPrograms.profile)
        return String(decoding: data, as: UTF8.self)
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["Ada"])
    }

    @Test func `leaves the simulation with a session that was made before, where no server was named`() {
      let before = URLSession(configuration: .ephemeral)
      var explorer = Explorer(name: "made before") { _ in
        _ = try await before.data(from: SessionPrograms.profile)
      }
      explorer.budget.schedules = 3
      let report = explorer.explore()
      #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
      #expect(report.violations.first?.message.contains("by dispatch_source_create") == true)
    }

    @Test func `answers nothing where no server was named`() {
      var explorer = Explorer(name: "no server") { _ in
        _ = try await URLSession.shared.data(from: SessionPrograms.profile)
      }
      explorer.budget.schedules = 3
      let report = explorer.explore()
      #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
      #expect(
        report.violations.first?.message.contains("by `interceptURLSession(in:)` of a `FakeHTTP`") == true)
    }
  }
#endif
