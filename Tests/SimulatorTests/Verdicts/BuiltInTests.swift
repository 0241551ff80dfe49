import Dispatch
import Foundation
import Simulator
import Synchronization
import Testing

/// What is checked without being asked.
@Suite struct `Built-in checks` {
  actor Gate {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    func wait() async { await withCheckedContinuation { waiting.append($0) } }
    func open() {
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  @Test func `a deadlock says who waits where`() throws {
    let report = explore(schedules: 10) { _ in
      let gate = Gate()
      await withTaskGroup { group in
        group.addTask(name: "reader") { await gate.wait() }
      }
      await gate.open()
    }
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == Invariant.BuiltIn.deadlock)
    #expect(violation.message.contains("root waits for a child of its task group"))
    #expect(violation.message.contains("reader waits for a continuation that nobody has resumed"))
    #expect(violation.message.contains("Gate.wait() BuiltInTests.swift:"))
  }

  @Test func `a deadlock that only one order brings is found`() {
    let report = explore { _ in
      let gate = Gate()
      async let opened: Void = gate.open()
      await gate.wait()
      await opened
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.deadlock])
  }

  @Test func `a livelock is steps without time`() {
    var options = Simulation.Options()
    options.stepLimitPerInstant = 1_000
    let execution = simulate(options: options) { _ in while !Task.isCancelled { await Task.yield() } }
    #expect(execution.ending == .livelock)
    #expect(execution.violations.map(\.invariant) == [Invariant.BuiltIn.livelock])
    let patient = simulate(options: options) { _ in
      for _ in 0..<10 {
        for _ in 0..<200 { await Task.yield() }
        try await Task.sleep(for: .nanoseconds(1))
      }
    }
    #expect(patient.violations.isEmpty)
  }

  @Test func `a task that outlives its execution is a warning, or a violation when asked`() {
    let body: @Sendable (Simulation) async -> Void = { _ in
      Task(name: "straggler") { try await Task.sleep(for: .seconds(3600)) }
    }
    let execution = simulate(.natural, body)
    #expect(execution.violations.isEmpty)
    #expect(execution.warnings.first?.contains("straggler") == true)
    var options = Simulation.Options()
    options.forbidsOutlivingTasks = true
    #expect(
      simulate(.natural, options: options, body).violations.map(\.invariant) == [
        Invariant.BuiltIn.nothingOutlives
      ])
  }

  @Test func `a body that throws is a violation`() {
    struct Failure: Error {}
    let report = explore { _ in
      await Task.yield()
      throw Failure()
    }
    #expect(report.violations.map(\.message) == ["the body threw Failure()"])
  }

  @Test func `an unsafe continuation resumed twice is reported and does no harm`() {
    let report = explore(schedules: 50) { _ in
      unsafe await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        Task { unsafe continuation.resume() }
        Task { unsafe continuation.resume() }
      }
      await Task.yield()
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.continuationResumedTwice])
  }

  @Test func `two continuations of one task, each resumed once, are fine`() {
    let seen = outcomes(schedules: 50) { _ in
      for _ in 1...3 {
        unsafe await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          Task { unsafe continuation.resume() }
        }
        await withCheckedContinuation { $0.resume() }
      }
      return true
    }
    #expect(seen == [true])
  }

  /// The threads of the pool may all be busy with other tests, minutes long.
  static var patient: Simulation.Options {
    var options = Simulation.Options()
    options.foreignThreadTimeout = .seconds(600)
    return options
  }

  /// Resumes once its task has suspended for certain: what is resumed before never leaves, and is not seen.
  private static func resumeLate(_ continuation: CheckedContinuation<Void, Never>) {
    usleep(100_000)
    continuation.resume()
  }

  @Test func `a foreign thread that brings work back is an escape`() {
    let before = LookingThread()
    let report = explore(schedules: 3, options: Self.patient) { _ in
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        before.submit { Self.resumeLate(continuation) }
      }
    }
    before.end()
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
  }

  @Test func `a foreign thread that comes back to the main actor is an escape`() {
    let before = LookingThread()
    let report = explore(schedules: 3, options: Self.patient) { _ in
      await MainActor.run {}
      await Task { @MainActor in
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          before.submit { Self.resumeLate(continuation) }
        }
        MainActor.preconditionIsolated()
      }.value
    }
    before.end()
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
  }

  enum Way: CaseIterable, Sendable { case queue, created }

  @Test(arguments: Way.allCases) func `a queue that brings work back stays inside`(_ way: Way) {
    let report = explore(schedules: 20) { _ in
      await Task { @MainActor in
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          switch way {
          case .queue: DispatchQueue.global().async { continuation.resume() }
          case .created: DispatchQueue.global().async { Task { continuation.resume() } }
          }
        }
        MainActor.preconditionIsolated()
      }.value
    }
    #expect(report.violations.map(\.message) == [])
  }

  static let executions = Mutex(0)

  @Test func `state that leaks from one execution to the next is nondeterminism`() {
    let report = explore { _ in
      let count = Self.executions.withLock { count in
        count += 1
        return count
      }
      for _ in 0..<count { await Task.yield() }
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.nondeterminism])
  }

  static let verdicts = Mutex(0)

  @Test func `a verdict that a replay does not repeat is nondeterminism`() {
    let report = explore { simulation in
      let count = Self.verdicts.withLock { count in
        count += 1
        return count
      }
      if count == 10 { simulation.fail("now and then", "the tenth time") }
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.nondeterminism])
  }

  @Test func `always is asked after every step and always, too, with a sentence`() {
    let report = exhaust { simulation in
      let counter = Counter()
      simulation.always("small") { counter.assumeIsolated { $0.value } < 2 }
      simulation.always(
        "tiny",
        problem: {
          let value = counter.assumeIsolated { $0.value }
          return value < 1 ? nil : "it is \(value)"
        })
      await counter.increment()
      await Task.yield()
      await counter.increment()
    }
    #expect(report.violations.map(\.invariant) == ["tiny", "small"])
    #expect(report.violations.map(\.message) == ["it is 1", "does not hold"])
  }

  @Test func `eventually is judged at its bound and at the end`() {
    let execution = simulate { simulation in
      let counter = Counter()
      simulation.eventually("in time", within: .seconds(2)) { counter.assumeIsolated { $0.value } > 0 }
      simulation.eventually("too late", within: .milliseconds(500)) {
        counter.assumeIsolated { $0.value } > 0
      }
      simulation.eventually("never", within: .seconds(100)) { counter.assumeIsolated { $0.value } > 1 }
      try await Task.sleep(for: .seconds(1))
      await counter.increment()
    }
    #expect(execution.violations.map(\.invariant) == ["too late", "never"])
  }

  @Test func `work that takes time keeps its actor closed, and only that`() {
    let seen = outcomes { _ in
      let log = Log<String>()
      let worker = Worker(log)
      let counter = Counter()
      let work = Task { await worker.work() }
      let visit = Task { await worker.visit() }
      let other = Task {
        try? await Task.sleep(for: .seconds(1))
        await counter.increment()
        log.append("other")
        work.cancel()
      }
      await work.value
      await visit.value
      await other.value
      return log.all
    }
    #expect(
      seen == [
        ["begin", "other", "cancelled", "visit"], ["visit", "begin", "other", "cancelled"],
      ])
  }

  actor Worker {
    let log: Log<String>
    init(_ log: Log<String>) { self.log = log }
    func work() async {
      log.append("begin")
      await Simulation.spend(.seconds(2))
      log.append(Task.isCancelled ? "cancelled" : "done")
    }
    func visit() { log.append("visit") }
  }
}
