import Dispatch
import Simulator
import Synchronization
import Testing

/// A task that was told to end and never will is a violation; one that waits for something that may come is not.
@Suite struct `A leaked task` {
  @Test func `is one that was cancelled and waits for a continuation that nobody resumes`() throws {
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
        "cancelled and still suspended, with nothing left that could wake it: request waits for a continuation"
      ))
    #expect(violation.diagnosis == .leak)
    #expect(violation.shrinking?.reproduced == violation.shrinking?.replayed)
  }

  @Test func `is one that a gate has forgotten`() {
    let report = explore("leak", schedules: 200) { _ in
      let gate = LeakyGate()
      let task = Task { await gate.pass() }
      await gate.close()
      task.cancel()
      await gate.open()
    }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.nothingLeaks])
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

/// Keeps what waits alive for as long as the process lives.
private enum Kept {
  private static let all = Mutex<[CheckedContinuation<Void, Never>]>([])
  static func keep(_ continuation: CheckedContinuation<Void, Never>) {
    all.withLock { $0.append(continuation) }
  }
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
