import Dispatch
import Foundation
import Simulator
import Synchronization
import Testing

/// A task that was told to end and never will is a violation; one that waits for something that may come is not.
@Suite struct `A leaked task` {
  // In processes of their own: where tests of other suites have threads, one of those could wake the task.
  @Test func `is one that was cancelled and waits for a continuation that nobody resumes`() async {
    await #expect(processExitsWith: .success) {
      let report = explore("leak", schedules: 20) { _ in
        let task = Task(name: "request") {
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Kept.keep(continuation)
          }
        }
        task.cancel()
      }
      let violation = try #require(report.violations.first)
      #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.nothingLeaks])
      #expect(
        violation.message.hasPrefix(
          "cancelled and still suspended, with nothing left in the execution that could wake it: request waits for a continuation"
        ))
      #expect(violation.diagnosis == .leak)
      #expect(violation.shrinking?.reproduced == violation.shrinking?.replayed)
    }
  }

  @Test func `is one that a gate has forgotten`() async {
    await #expect(processExitsWith: .success) {
      let report = explore("leak", schedules: 200) { _ in
        let gate = LeakyGate()
        let task = Task { await gate.pass() }
        await gate.close()
        task.cancel()
        await gate.open()
      }
      #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.nothingLeaks])
    }
  }

  @Test func `is a warning where a thread that was there before may still wake it`() async {
    await #expect(processExitsWith: .success) {
      let before = LookingThread()
      let report = explore("older", schedules: 3) { _ in
        let task = Task(name: "request") {
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            before.submit {
              while !Kept.isLate.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.01) }
              continuation.resume()
            }
          }
        }
        task.cancel()
      }
      Kept.isLate.store(true, ordering: .releasing)
      #expect(report.violations.map(\.message) == [])
      let warning = report.warnings.joined(separator: "; ")
      #expect(warning.contains("request waits for a continuation"))
      #expect(
        warning.contains("a thread of the process that the simulator has not started could still wake it"))
      before.end()
    }
  }

  @Test func `is not woken by what an earlier search has left behind`() async {
    await #expect(processExitsWith: .success) {
      _ = explore("first", schedules: 1) { _ in
        Task { await withCheckedContinuation { continuation in Kept.keep(continuation) } }
      }
      let before = LookingThread()
      let report = explore("second", schedules: 1) { _ in
        before.submit { Kept.resumeAll() }
        let owner = Owner()
        Task { [waits = owner.waiter()] in
          await waits.value
          _ = owner
        }
      }
      #expect(Kept.isEmpty)
      #expect(report.violations.map(\.message) == [])
      before.end()
    }
  }

  @Test func `is one again when that thread has ended`() async {
    await #expect(processExitsWith: .success) {
      let before = LookingThread()
      before.end()
      here { Thread.sleep(forTimeInterval: 0.5) }
      let report = explore("ended", schedules: 3) { _ in
        let task = Task {
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Kept.keep(continuation)
          }
        }
        task.cancel()
      }
      #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.nothingLeaks])
    }
  }

  @Test func `is a warning where a source of events could still wake it`() async {
    await #expect(processExitsWith: .success) {
      let source = DispatchSource.makeTimerSource()
      source.schedule(deadline: .now() + 3_600)
      source.activate()
      let report = explore("source", schedules: 3) { _ in
        let task = Task {
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Kept.keep(continuation)
          }
        }
        task.cancel()
      }
      #expect(report.violations.map(\.message) == [])
      source.cancel()
    }
  }

  @Test func `is none that waits for an element of a stream that lives`() {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let report = explore("observer", schedules: 20) { _ in
      Task { for await _ in stream {} }
    }
    continuation.finish()
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `is none that ends because it was cancelled`() {
    let report = explore("ends", schedules: 20) { _ in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let observer = Task { for await _ in stream {} }
      let sleeper = Task { try await Task.sleep(for: .seconds(3_600)) }
      observer.cancel()
      sleeper.cancel()
      _ = continuation
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `is none that a thread outside wakes later`() {
    let report = explore("outside", schedules: 3) { _ in
      let task = Task {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) { continuation.resume() }
        }
      }
      task.cancel()
    }
    #expect(!report.hasViolation(of: "nothing-leaks"), "\(report.violations.map(\.message))")
  }

  @Test func `is none that is cancelled and still has work to do`() {
    let report = explore("works", schedules: 20) { _ in
      let cell = Cell()
      let task = Task {
        for _ in 0..<5 { await cell.add(1) }
      }
      task.cancel()
    }
    #expect(report.violations.map(\.message) == [])
  }
}

/// A task whose waker is gone is a leak too, cancelled or not.
@Suite struct `A task whose continuation was dropped` {
  private static let dropped =
    "suspended for ever, since nobody holds what could wake it: lost waits for a continuation that was dropped and never "
    + "resumed"

  private func leaks(_ report: Explorer.Report) -> [String] {
    report.violations.filter { $0.invariant == Invariant.BuiltIn.nothingLeaks }.map(\.message)
  }

  @Test func `is a leak, which replays`() throws {
    let report = explore("dropped", schedules: 20) { _ in
      Task(name: "lost") { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    }
    let violation = try #require(report.violations.first)
    #expect(leaks(report).first?.hasPrefix(Self.dropped + " at ") == true)
    #expect(violation.diagnosis == .leak)
    #expect(violation.shrinking?.reproduced == violation.shrinking?.replayed)
  }

  @Test func `is a leak where it throws`() {
    let report = explore("dropped", schedules: 20) { _ in
      Task(name: "lost") {
        try await withCheckedThrowingContinuation { (_: CheckedContinuation<Int, any Error>) in }
      }
    }
    #expect(leaks(report).count == 1)
  }

  @Test func `is a leak where the object that held it has ended`() {
    let report = explore("owner", schedules: 20) { _ in
      var owner: Owner? = Owner()
      let waits = owner?.waiter()
      try await Task.sleep(for: .seconds(1))
      owner = nil
      _ = waits
    }
    #expect(leaks(report).count == 1)
  }

  @Test func `is a leak, and so is the task that waits for its end`() {
    let report = explore("chain", schedules: 20) { _ in
      let lost = Task(name: "lost") {
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
      let next = Task(name: "next") { await lost.value }
      Task(name: "last") { await next.value }
    }
    let message = leaks(report).first ?? ""
    #expect(message.contains("; next waits for task lost"))
    #expect(message.contains("; last waits for task next"))
  }

  @Test func `is a leak beside work that never ends`() {
    let report = explore("heartbeat", schedules: 5) { _ in
      Task { while true { try await Task.sleep(for: .seconds(1)) } }
      Task(name: "lost") { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    }
    #expect(leaks(report).count == 1)
  }

  @Test func `is told as the deadlock that it causes`() {
    let report = explore("deadlock", schedules: 5) { _ in
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.deadlock])
    #expect(
      report.violations.first?.message.contains("root waits for a continuation that was dropped") == true)
  }

  @Test func `is told as work that outlives its execution, where that is a violation`() {
    let options = Simulation.Options(forbidsOutlivingTasks: true)
    let report = exhaust(schedules: 5, options: options) { _ in
      Task { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.nothingOutlives])
  }

  @Test func `is no leak as long as anything holds the continuation`() {
    let report = explore("held", schedules: 20) { _ in
      Task { await withCheckedContinuation { continuation in Kept.keep(continuation) } }
      let owner = Owner()
      Task { [waits = owner.waiter()] in
        await waits.value
        _ = owner
      }
    }
    #expect(report.violations.map(\.message) == [])
    #expect(report.warnings.contains { $0.contains("a continuation that nobody has resumed") })
  }

  @Test func `is no leak where it was resumed before it was dropped`() {
    let report = explore("resumed", schedules: 20) { _ in
      let owner = Owner()
      let waits = owner.waiter()
      while !owner.isWaiting { await Task.yield() }
      owner.resume()
      await waits.value
    }
    #expect(report.violations.map(\.message) == [])
  }
}

/// A task that waits for what may still come.
@Suite struct `A task that waits for a living source` {
  /// An observer loop, of which there is one for the whole process.
  private final class Hub: Sendable {
    static let shared = Hub()
    let stream: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    init() { (stream, continuation) = AsyncStream.makeStream() }
  }

  private actor Server {
    private let (requests, arrivals) = AsyncStream<Int>.makeStream()
    private var answered = 0
    private var loop: Task<Void, Never>?

    func start() {
      loop = Task { for await _ in requests { answered += 1 } }
    }
    func request() { arrivals.yield(1) }
    func stop() { loop?.cancel() }
  }

  @Test func `is no leak, whether the source is a hub or an actor of its own`() {
    let report = explore("sources", schedules: 50) { _ in
      Task { for await _ in Hub.shared.stream {} }
      let server = Server()
      await server.start()
      await server.request()
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `is no leak where it is cancelled, and so ends`() {
    let report = explore("cancelled", schedules: 50) { _ in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let observer = Task { for await _ in stream {} }
      let server = Server()
      await server.start()
      observer.cancel()
      await server.stop()
      _ = continuation
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `is no leak where it waits for ever on purpose`() {
    let report = explore("never", schedules: 20) { _ in
      Task { for await _ in AsyncStream<Int>(Int.self, { _ in }) {} }
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test func `is no leak of a later execution that resumes it`() {
    let owner = Owner()
    let report = explore("later", schedules: 20) { _ in
      owner.resume()
      _ = owner.waiter()
    }
    owner.resume()
    #expect(!report.hasViolation(of: Invariant.BuiltIn.nothingLeaks))
  }
}

/// Keeps the continuation of the task that it makes.
private final class Owner: Sendable {
  private let kept = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func waiter() -> Task<Void, Never> {
    Task(name: "lost") { [weak self] in
      await withCheckedContinuation { continuation in
        guard let self else { return continuation.resume() }
        self.kept.withLock { $0 = continuation }
      }
    }
  }

  var isWaiting: Bool { kept.withLock { $0 != nil } }
  func resume() { kept.withLock { $0.take() }?.resume() }
}

/// Keeps what waits alive for as long as the process lives.
private enum Kept {
  private static let all = Mutex<[CheckedContinuation<Void, Never>]>([])
  static func keep(_ continuation: CheckedContinuation<Void, Never>) {
    all.withLock { $0.append(continuation) }
  }
  static func resumeAll() {
    let kept = all.withLock { all in
      defer { all = [] }
      return all
    }
    kept.forEach { $0.resume() }
  }
  static var isEmpty: Bool { all.withLock { $0.isEmpty } }

  /// Whether what comes from outside may come.
  static let isLate = Atomic(false)
}

/// Lets nobody pass who comes while it is closed, and forgets who waits when it opens.
private actor LeakyGate {
  private var isClosed = false

  func pass() async {
    guard isClosed else { return }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Kept.keep(continuation)
    }
  }

  func close() { isClosed = true }
  func open() { isClosed = false }
}
