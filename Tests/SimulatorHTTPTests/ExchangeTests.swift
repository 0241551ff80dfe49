#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Simulator
  import SimulatorHTTP
  import SimulatorStrategies
  import TestEffort
  import Testing

  @Suite struct `A request of URLSession in a simulation` {
    /// As Foundation on Linux was seen to do with a server of its own: what was assigned to the request wins, also where it
    /// is the default; what its initializer was given does not; and only whole seconds count.
    @Test(
      arguments: [
        (configured: 0.05, assigned: nil, delay: 100, seen: "true after 0.001 seconds"),
        (configured: 0.5, assigned: nil, delay: 100, seen: "true after 0.001 seconds"),
        (configured: 1.9, assigned: nil, delay: 1_300, seen: "true after 1.0 seconds"),
        (configured: 1.9, assigned: nil, delay: 500, seen: "answered after 0.5 seconds"),
        (configured: 1, assigned: 60, delay: 1_500, seen: "answered after 1.5 seconds"),
        (configured: 5, assigned: 1, delay: 1_500, seen: "true after 1.0 seconds"),
        (configured: 60, assigned: 0, delay: 100, seen: "true after 0.001 seconds"),
      ] as [(configured: Double, assigned: Double?, delay: Int, seen: String)])
    func `times out by its own limit, or by the one of its session`(
      configured: Double, assigned: Double?, delay: Int, expected: String
    ) {
      let server = FakeHTTP(otherwise: FakeBehavior(delay: .milliseconds(delay), replies: [.ok("Ada")]))
      let (seen, report) = SessionPrograms.outcomes(of: server, schedules: 20) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = configured
        var request = URLRequest(url: SessionPrograms.profile, timeoutInterval: 7)
        if let assigned { request.timeoutInterval = assigned }
        let start = ContinuousClock.now
        let outcome: String
        do {
          _ = try await URLSession(configuration: configuration).data(for: request)
          outcome = "answered"
        } catch let error as URLError {
          outcome = "\(error.code == .timedOut)"
        }
        return "\(outcome) after \(start.duration(to: .now))"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == [expected])
    }

    @Test(arguments: [0, 1_000], [true, false])
    func `that is begun twice is answered once`(delay: Int, inOrder: Bool) {
      let server = FakeHTTP(otherwise: FakeBehavior(delay: .milliseconds(delay), replies: [.ok("Ada")]))
      let (seen, report) = SessionPrograms.outcomes(
        of: server, schedules: tries(500, more: 1_000, all: 3_000),
        strategy: inOrder ? Strategies.DelayBounded(atMost: 2) : nil
      ) {
        let (answers, before) = (Guarded(0), server.calls.count)
        let session = URLSession(configuration: .ephemeral)
        await withCheckedContinuation { waiting in
          let loading = session.dataTask(with: SessionPrograms.profile) { _, _, _ in
            let count = answers.withLock { answers in
              answers += 1
              return answers
            }
            if count == 1 { waiting.resume() }
          }
          loading.resume()
          loading.resume()
        }
        try await Task.sleep(for: .seconds(2))
        return "\(answers.withLock { $0 }) \(server.calls.count - before)"
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["1 1"])
    }

    @Test func `that is suspended brings its answer when it goes on`() {
      let (seen, report) = SessionPrograms.outcomes {
        let start = ContinuousClock.now
        let session = URLSession(configuration: .ephemeral)
        return await withCheckedContinuation { waiting in
          let loading = session.dataTask(with: SessionPrograms.profile) { data, _, _ in
            waiting.resume(returning: "\(data?.count ?? 0) after \(start.duration(to: .now))")
          }
          loading.resume()
          loading.suspend()
          Task {
            try await Task.sleep(for: .seconds(3))
            loading.resume()
          }
        }
      }
      #expect(report.violations.map(\.message) == [])
      #expect(seen == ["3 after 3.0 seconds"])
    }

    @Test func `whose end Data(contentsOf:) waits for leaves the simulation at the program's line`() {
      let (_, report) = SessionPrograms.outcomes(schedules: 3) {
        String(decoding: try Data(contentsOf: SessionPrograms.profile), as: UTF8.self)
      }
      #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
      let message = report.violations.first?.message ?? ""
      #expect(message.contains("Data(contentsOf:)"))
      #expect(message.contains("ExchangeTests.swift"))
    }
  }
#endif
