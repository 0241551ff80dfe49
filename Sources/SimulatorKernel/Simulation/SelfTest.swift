internal import CConcurrencyHooks
internal import Foundation
internal import SimulatorCore

/// Small programs whose every step is known.
enum SelfTest {
  private actor Probe {
    private var touches = 0

    // Never inlined, so that release builds hop, too.
    @inline(never) func touch() { touches += 1 }
  }

  @inline(never) @MainActor private static func touchMain(_ notes: Notes) { notes.mainTouches += 1 }

  /// The observations of the self-test's programs. Only the simulation's thread reaches it.
  private final class Notes: @unchecked Sendable {
    // @unchecked Sendable because the program writes it inside the execution and the test reads it after.
    var clockMoved: [Duration] = []
    var dateMoved: TimeInterval = 0
    var mainTouches = 0
    var isChecked = false
    var waits: [Scheduler.Wait] = []
  }

  /// Checks tasks, hops, sleeps on each clock, and clock reads.
  static func steps() -> RuntimeControl.Failure? {
    let notes = Notes()
    let runner = Runner(options: Simulation.Options()) { _ in
      let probe = Probe()
      await probe.touch()
      await touchMain(notes)
      let date = Date()
      notes.clockMoved.append(
        try await measure(ContinuousClock()) { try await Task.sleep(for: .seconds(1)) })
      notes.clockMoved.append(
        try await measure(SuspendingClock()) {
          try await Task.sleep(for: .seconds(1), clock: SuspendingClock())
        })
      notes.clockMoved.append(
        try await measure(ContinuousClock()) { try await Task.sleep(nanoseconds: 1_000_000_000) })
      notes.dateMoved = Date().timeIntervalSince(date)
      async let child: Void = Task.yield()
      await child
      await Task {}.value
    }
    return flaw(in: runner.observe(0, seed: 0), notes)
  }

  /// Returns what is wrong with the execution of the first program.
  private static func flaw(in execution: Simulation.Execution, _ notes: Notes) -> RuntimeControl.Failure? {
    let domains = execution.trace.events.map { execution.trace.domains[$0.domain] }
    guard execution.ending == .finished, execution.violations.isEmpty else {
      return .notCaptured(
        "the self-test ended as \(execution.ending) with "
          + (execution.violations.first.map { "\($0.invariant): \($0.message)" } ?? "no violation"))
    }
    guard domains.contains(where: { $0.kind == .actor }) else {
      return .notCaptured("a hop to an actor was not seen")
    }
    guard domains.contains(where: { $0.kind == .mainActor }) else {
      return .notCaptured("a hop to the main actor was not seen")
    }
    guard notes.clockMoved == Array(repeating: .seconds(1), count: 3), notes.dateMoved == 3 else {
      return .notCaptured("sleeps and clocks are not virtual")
    }
    guard execution.endTime == VirtualInstant(nanoseconds: 3_000_000_000) else {
      return .notCaptured("three sleeps of a second took \(execution.endTime)")
    }
    guard execution.trace.events.allSatisfy({ $0.task != nil }) else {
      return .notCaptured("a step ran in the name of no task")
    }
    guard execution.trace.tasks.count == 3 else {
      return .notCaptured("3 tasks were made and \(execution.trace.tasks.count) seen")
    }
    return nil
  }

  /// Checks the layout of a waiting task, the end of a task, and that a deadlock is reported as one.
  static func waits() -> RuntimeControl.Failure? {
    let notes = Notes()
    var options = Simulation.Options()
    options.foreignThreadTimeout = .zero
    let runner = Runner(options: options) { simulation in
      async let finished: Void = {}()
      async let stuck: Void = neverResumed()
      Task {
        try await Task.sleep(for: .seconds(1))
        notes.waits = [simulation.checked.wait(of: 0), simulation.checked.wait(of: 2)]
      }
      _ = await (finished, stuck)
    }
    let violations = runner.execute(0, seed: 0, keepingEvents: false).execution?.violations ?? []
    guard violations.map(\.invariant) == [Invariant.BuiltIn.deadlock] else {
      return .notCaptured("a deadlock was not noticed")
    }
    guard notes.waits == [.task(2), .continuation] else {
      return .notCaptured("a waiting task has another layout: \(notes.waits), “\(violations[0].message)”")
    }
    return nil
  }

  private enum Holder { case probe(Probe) }
  private final class Looker { weak var probe: Probe? }

  /// Checks the layouts of types and of counted references.
  static func layouts() -> RuntimeControl.Failure? {
    let holding: [Any.Type] = [Probe.self, [Probe?].self, (Int, Probe).self, Holder.self, (() -> Void).self]
    let plain: [Any.Type] = [Int.self, String.self, Data.self, [Int: Date].self, FileManager.self]
    guard holding.allSatisfy(ObjectsInside.mayBe), !plain.contains(where: ObjectsInside.mayBe) else {
      return .notCaptured("a type has another layout")
    }
    let probe = Probe()
    let looker = Looker()
    looker.probe = probe
    // Safe: both are alive, and the first property of an object lies behind its two words.
    let isKnown = withExtendedLifetime((probe, looker)) {
      let object = unsafe Unmanaged.passUnretained(probe).toOpaque()
      let reference = unsafe UnsafeRawPointer(Unmanaged.passUnretained(looker).toOpaque()) + 16
      return unsafe ch_side_table(object) == reference.load(as: UInt.self)
    }
    return isKnown ? nil : .notCaptured("a weak reference has another layout")
  }

  /// Checks that the lock of a stream can be distinguished from others.
  static func streams() -> RuntimeControl.Failure? {
    let isLearned = ch_learn_stream_lock {
      let (_, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.finish()
    }
    return isLearned ? nil : .notCaptured("the lock of a stream was not seen")
  }

  /// Checks that the drop of a checked continuation is observed.
  static func droppedContinuations() -> RuntimeControl.Failure? {
    let seen = Notes()
    var options = Simulation.Options()
    // No other thread will resume the dropped continuation, and each process of a search makes this test.
    options.foreignThreadTimeout = .zero
    let runner = Runner(options: options) { _ in
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        seen.isChecked = watch(continuation)
        continuation.resume()
      }
      Task { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    }
    let report = runner.execute(0, seed: 0, keepingEvents: false).execution?.violations ?? []
    guard seen.isChecked, report.map(\.invariant) == [Invariant.BuiltIn.nothingLeaks] else {
      return .notCaptured("a continuation was dropped, and that was not seen")
    }
    return nil
  }

  /// Returns true if the end of this continuation and of all others can be observed.
  private static func watch(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard unsafe MemoryLayout.size(ofValue: continuation) == MemoryLayout<UnsafeMutableRawPointer>.size,
      let task = unsafe ch_current_task()
    else { return false }
    // Safe because it is one reference to an object that lives as long as it does.
    return unsafe ch_watch_checked(unsafeBitCast(continuation, to: UnsafeMutableRawPointer.self), task)
  }

  /// Learns how to recognize that a task waits for all children of a group. If nothing can be learned, the reduced
  /// search takes more schedules.
  static func groups() {
    _ = Runner(options: Simulation.Options()) { _ in
      let parent = runningTask
      await withTaskGroup(of: Void.self) { $0.addTask { learn(from: parent) } }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { learn(from: parent) }
        await group.waitForAll()
      }
      await withThrowingTaskGroup(of: Void.self) { $0.addTask { learn(from: parent) } }
    }.execute(0, seed: 0, keepingEvents: false)
  }

  private static var runningTask: UInt { unsafe ch_current_task().map { UInt(bitPattern: $0) } ?? 0 }

  /// Called by a child: learns from its parent, which waits for it.
  private static func learn(from parent: UInt) {
    // Safe because a task outlives its children.
    if let parent = unsafe UnsafeRawPointer(bitPattern: parent) { unsafe ch_learn_group_awaited(parent) }
  }

  private static func neverResumed() async {
    // Safe because the test is that nothing resumes it; the end of the execution abandons the task.
    await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  private static func measure<C: Clock>(
    _ clock: C, _ body: () async throws -> Void
  ) async throws -> C.Duration {
    let start = clock.now
    try await body()
    return start.duration(to: clock.now)
  }
}
