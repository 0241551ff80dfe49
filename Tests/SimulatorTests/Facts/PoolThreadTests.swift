import Dispatch
import Foundation
import Simulator
import SimulatorStrategies
import Testing

/// What blocked tasks and blocks keep from beginning. The real pool was measured with small programs.
///
/// A deadlock is looked for in a process of its own: where other threads live, one of them could signal.
@Suite struct `Threads of the global executor` {
  // MARK: deadlocks

  @Test func `tasks that block all threads keep out the one that would wake them`() async {
    await #expect(processExitsWith: .success) {
      expectStarvation(
        threads: 2,
        "nothing can run: 2 blocked tasks keep all 2 threads that the global executor has for their priority, at "
          + "waits(for:) PoolThreadTests.swift:",
        "(2 times), so 3 others can't go on; it hangs on machines with 2 cores or fewer: ",
        "waits for a thread of the global executor"
      ) { _ in await starve() }
      expectStarvation(threads: 4, "4 blocked tasks", "so another one can't go on") { _ in await starve() }
    }
    #expect(violations(threads: 5) { _ in await starve() }.isEmpty)
  }

  @Test func `there are as many threads as the machine has cores`() async {
    let cores = ProcessInfo.processInfo.processorCount
    await #expect(processExitsWith: .success) {
      expectStarvation(threads: nil) { _ in await starve(ProcessInfo.processInfo.processorCount) }
    }
    #expect(violations(threads: cores + 1) { _ in await starve(cores) }.isEmpty)
  }

  @Test func `a task that is resumed needs a thread as one that begins does`() async {
    await #expect(processExitsWith: .success) { expectStarvation(threads: 1, body: wakesWhenResumed) }
    #expect(violations(threads: 2, wakesWhenResumed).isEmpty)
  }

  @Test func `a task that blocks in an actor keeps its thread`() async {
    await #expect(processExitsWith: .success) { expectStarvation(threads: 2, body: blocksInActors) }
    #expect(violations(threads: 3, blocksInActors).isEmpty)
  }

  @Test func `an actor that is idle needs a thread`() async {
    await #expect(processExitsWith: .success) { expectStarvation(threads: 1, body: wakesFromMain) }
    #expect(violations(threads: 2, wakesFromMain).isEmpty)
  }

  @Test func `time goes on, and what a timer wakes needs a thread, too`() async {
    await #expect(processExitsWith: .success) { expectStarvation(threads: 1, body: wakesLater) }
    #expect(violations(threads: 2, wakesLater).isEmpty)
  }

  @Test func `a wait that ends with its time gives the thread back`() {
    let instants = Log<Duration>()
    naturally(threads: 1) {
      let (gate, start) = (DispatchSemaphore(value: 0), ContinuousClock.now)
      await withTaskGroup { group in
        group.addTask { waits(for: gate, seconds: 3) }
        group.addTask { instants.append(ContinuousClock.now - start) }
      }
    }
    #expect(instants.all.last == .seconds(3))
  }

  // MARK: no alarm

  @Test func `the main actor, other priorities and threads have other threads`() {
    #expect(violations(threads: 1, blocksMain).isEmpty)
    #expect(violations(threads: 1, blocksLow).isEmpty)
    #expect(violations(threads: 1, blocksThread).isEmpty)
  }

  /// The two wait only once the first has a thread.
  @Test func `a task that goes to an actor and back keeps its thread`() {
    let body: @Sendable (Simulation) async -> Void = { _ in
      let (gate, begun) = (DispatchSemaphore(value: 0), SpokenLetters())
      await withTaskGroup { group in
        group.addTask {
          begun.add("1")
          await Waiter().nothing()
          await Waiter().nothing()
          for _ in 0..<2 { gate.signal() }
        }
        for _ in 0..<2 { group.addTask { if !begun.text.isEmpty { waits(for: gate) } } }
      }
    }
    #expect(violations(threads: 2, steps: .preemptible, strategy: Strategies.RandomWalk(), body).isEmpty)
  }

  @Test func `what waits in an actor runs on the thread that has run the actor`() {
    let body: @Sendable (Simulation) async -> Void = { _ in
      let (gate, actor) = (DispatchSemaphore(value: 0), Waiter())
      await withTaskGroup { group in
        group.addTask { await actor.startsOneThatSignals(gate) }
        group.addTask { if await actor.hasStarted { waits(for: gate) } }
      }
    }
    #expect(violations(threads: 1, steps: .preemptible, strategy: Strategies.RandomWalk(), body).isEmpty)
  }

  @Test func `a task that waits for a lock keeps no other out, and no schedule is lost`() {
    let program = SmallProgram("three, of whom two take turns at a lock") { _ in
      let (lock, inner, words) = (NSLock(), NSLock(), SpokenLetters())
      async let first: Void = lock.withLock { inner.withLock { words.add("a") } }
      async let second: Void = lock.withLock { words.add("b") }
      async let third: Void = words.add("c")
      _ = await (first, second, third)
      return words.text
    }
    let (narrow, wide) = (Tapes(), Tapes())
    for (tapes, threads) in [(narrow, 1), (wide, 8)] {
      _ = program.outcomes(
        Strategies.RandomWalk(), into: tapes, schedules: 500,
        options: Simulation.Options(poolThreads: threads, steps: .preemptible))
    }
    #expect(narrow.inOrder == wide.inOrder)
  }

  /// The actor is entered while a task that needs a thread waits for it, and a thread becomes free in the middle of that step.
  @Test func `an actor stays closed for a task that gets its thread`() {
    let body: @Sendable (Simulation) async -> Void = { simulation in
      let (gate, actor, words) = (DispatchSemaphore(value: 0), Waiter(), SpokenLetters())
      let others = [
        Task { @MainActor in await actor.say(["d"], words) },
        Task { @MainActor in for _ in 0..<2 { gate.signal() } },
      ]
      await withTaskGroup { group in
        group.addTask { await actor.say(["a", "b"], words) }
        for _ in 0..<2 { group.addTask { waits(for: gate) } }
      }
      for other in others { await other.value }
      if words.text == "a d b" { simulation.fail("closed", "two steps of one actor were mixed") }
    }
    #expect(violations(threads: 2, steps: .preemptible, strategy: Strategies.RandomWalk(), body).isEmpty)
  }

  @Test func `the thread of a step in an actor is unknown if tasks have several priorities`() {
    let body: @Sendable (Simulation) async -> Void = { simulation in
      let low = Task(priority: .low) {}
      await blocksInActors(simulation)
      await low.value
    }
    #expect(violations(threads: 2, body).isEmpty)
  }

  /// The second task blocks only in the middle of the first, so there are two threads.
  @Test func `a schedule that needs more threads is no deadlock for want of them`() {
    let body: @Sendable (Simulation) async -> Void = { _ in
      let (gate, first) = (DispatchSemaphore(value: 0), SpokenLetters())
      await withTaskGroup { group in
        group.addTask {
          first.add("1")
          Task {}
          first.add("2")
        }
        group.addTask { if first.text == "1" { waits(for: gate) } }
        group.addTask { wake(gate) }
      }
    }
    #expect(violations(threads: 1, strategy: Strategies.ExhaustiveDFS(), body).isEmpty)
  }

  // MARK: searches

  @Test func `the reduced search finds that two that have nothing in common keep both threads`() async {
    await #expect(processExitsWith: .success) {
      expectStarvation(
        threads: 2, steps: .preemptible, strategy: Strategies.ExhaustiveReduced(), body: waitsForTwo)
    }
    let wide = explored(
      threads: 3, steps: .preemptible, strategy: Strategies.ExhaustiveReduced(), waitsForTwo)
    #expect(wide.violations.isEmpty && wide.coverage == .everyBehavior)
  }

  /// What the main actor makes after the threads were blocked could have begun before.
  @Test func `the reduced search lets a task that was kept out begin before others block`() {
    let program = SmallProgram("a task that wakes") { _ in
      let (one, two, other) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let start = ContinuousClock.now
      async let first: Void = waits(for: one, seconds: 1)
      async let second: Duration = {
        waits(for: two, seconds: 5)
        return ContinuousClock.now - start
      }()
      let main = Task { @MainActor in
        wake(other)
        Task.detached { wake(two) }
      }
      _ = await (first, main.value)
      return "\(await second)"
    }
    let found = program.outcomes(
      Strategies.ExhaustiveReduced(), schedules: 50_000,
      options: Simulation.Options(poolThreads: 2, steps: .preemptible)
    ).outcomes
    #expect(found == ["0.0 seconds", "1.0 seconds"])
  }

  // MARK: Dispatch

  @Test(arguments: [(2, 3), (4, 1), (5, 0)])
  func `blocks that block cost a second for each thread that Dispatch adds`(_ threads: Int, _ seconds: Int) {
    #expect(instantOfWake(threads: threads, onGlobal) == .seconds(seconds))
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    #expect(instantOfWake(threads: threads) { concurrent.async(execute: $0) } == .seconds(seconds))
  }

  @Test func `a queue of another quality of service, and serial queues, have other threads`() {
    let low = DispatchQueue.global(qos: .utility)
    #expect(instantOfWake(threads: 4, { low.async(execute: $0) }, onGlobal) == .zero)
    #expect(instantOfWake(threads: 1, { DispatchQueue(label: "serial").async(execute: $0) }) == .zero)
  }

  @Test func `tasks and blocks of one priority share the threads`() {
    #expect(instantOfWake(threads: 4, onGlobal, inTask) == .seconds(1))
    #expect(instantOfWake(threads: 4, inTask, onGlobal) == .seconds(1))
  }

  @Test func `iterations of concurrentPerform run on the thread of their caller`() {
    let instants = Log<Duration>()
    naturally(threads: 1) {
      let start = ContinuousClock.now
      performs(2) { instants.append(ContinuousClock.now - start) }
    }
    #expect(Set(instants.all) == [.zero])
  }

  @Test func `Dispatch adds no thread to 255`() async {
    await #expect(processExitsWith: .success) {
      expectStarvation(
        threads: 250, strategy: Strategies.NaturalOrder(),
        "255 blocked tasks and blocks keep all 255 threads that Dispatch has for their priority"
      ) { _ in
        blocks(255, onGlobal, onGlobal) {}
      }
    }
  }
}

// MARK: - Programs

private func starve(_ count: Int = 4) async {
  let gate = DispatchSemaphore(value: 0)
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<count { group.addTask { waits(for: gate) } }
    group.addTask { for _ in 0..<count { gate.signal() } }
  }
}

private func wakesWhenResumed(_: Simulation) async {
  let (gate, stream) = (DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream())
  await withTaskGroup { group in
    group.addTask {
      for await _ in stream.stream {}
      wake(gate)
    }
    group.addTask {
      stream.continuation.finish()
      waits(for: gate)
    }
  }
}

private func blocksInActors(_: Simulation) async {
  let gate = DispatchSemaphore(value: 0)
  await withTaskGroup { group in
    for _ in 0..<2 { group.addTask { await Waiter().wait(for: gate) } }
    group.addTask { for _ in 0..<2 { gate.signal() } }
  }
}

private func wakesFromMain(_: Simulation) async {
  let (gate, waker) = (DispatchSemaphore(value: 0), Waiter())
  await withTaskGroup { group in
    group.addTask { await wakeFromMain(waker, gate) }
    group.addTask { waits(for: gate) }
  }
}

private func wakesLater(_: Simulation) async {
  let gate = DispatchSemaphore(value: 0)
  await withTaskGroup { group in
    group.addTask {
      try? await Task.sleep(for: .seconds(1))
      wake(gate)
    }
    group.addTask { waits(for: gate) }
  }
}

private func blocksMain(_: Simulation) async {
  let gate = DispatchSemaphore(value: 0)
  let main = Task { @MainActor in waits(for: gate) }
  await Task { wake(gate) }.value
  await main.value
}

private func blocksLow(_: Simulation) async {
  let gate = DispatchSemaphore(value: 0)
  let low = Task.detached(priority: .low) { waits(for: gate) }
  await Task { wake(gate) }.value
  await low.value
}

private func blocksThread(_: Simulation) async {
  let gate = DispatchSemaphore(value: 0)
  Thread.detachNewThread { waits(for: gate) }
  await Task { wake(gate) }.value
}

/// In the natural order no task waits, and the two that wait have nothing in common but the threads.
private func waitsForTwo(_: Simulation) async {
  let (one, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  async let first: Void = wake(one)
  async let second: Void = wake(other)
  async let third: Void = waits(for: one)
  async let fourth: Void = waits(for: other)
  _ = await (first, second, third, fourth)
}

private typealias Starts = @Sendable (@escaping @Sendable () -> Void) -> Void

private let onGlobal: Starts = { DispatchQueue.global().async(execute: $0) }
private let inTask: Starts = { block in Task { block() } }

/// Starts so many blocks that wait, and one that wakes them when it has called `woken`.
private func blocks(
  _ count: Int, _ waiters: Starts, _ waker: Starts, _ woken: @escaping @Sendable () -> Void
) {
  let (gate, group) = (DispatchSemaphore(value: 0), DispatchGroup())
  for _ in 0..<count {
    group.enter()
    waiters {
      waits(for: gate)
      group.leave()
    }
  }
  waker {
    woken()
    for _ in 0..<count { gate.signal() }
  }
  Thread.detachNewThread { group.wait() }
}

/// The instant at which a block wakes the four that wait.
private func instantOfWake(threads: Int, _ waiters: @escaping Starts, _ waker: Starts? = nil) -> Duration? {
  let instants = Log<Duration>()
  naturally(threads: threads) {
    let start = ContinuousClock.now
    blocks(4, waiters, waker ?? waiters) { instants.append(ContinuousClock.now - start) }
  }
  return instants.all.last
}

private func performs(_ count: Int, _ one: @Sendable () -> Void) {
  DispatchQueue.concurrentPerform(iterations: count) { _ in one() }
}

private func waits(for gate: DispatchSemaphore) { gate.wait() }

private func waits(for gate: DispatchSemaphore, seconds: Double) { _ = gate.wait(timeout: .now() + seconds) }

private func wake(_ gate: DispatchSemaphore) { gate.signal() }

@MainActor private func wakeFromMain(_ waker: Waiter, _ gate: DispatchSemaphore) async {
  await waker.signal(gate)
}

private actor Waiter {
  private(set) var hasStarted = false
  func wait(for gate: DispatchSemaphore) { waits(for: gate) }
  func signal(_ gate: DispatchSemaphore) { wake(gate) }
  func nothing() {}

  func say(_ letters: [String], _ words: SpokenLetters) {
    for letter in letters {
      words.add(letter)
      Task {}
    }
  }

  func startsOneThatSignals(_ gate: DispatchSemaphore) {
    Task { signal(gate) }
    hasStarted = true
  }
}

private final class SpokenLetters: Sendable {
  private let words = Log<String>()
  func add(_ word: String) { words.append(word) }
  var text: String { words.all.joined(separator: " ") }
}

// MARK: - Searches

private func explored(
  threads: Int?, steps: Simulation.Options.Steps = .asNeeded,
  strategy: any SchedulingStrategy = Strategies.Portfolio(), schedules: Int = 2_000,
  _ body: @escaping @Sendable (Simulation) async -> Void
) -> Explorer.Report {
  let options = Simulation.Options(poolThreads: threads, steps: steps).checked
  var explorer = Explorer(name: "threads", options: options, body: body)
  explorer.strategy = strategy
  explorer.budget.schedules = schedules
  return explorer.explore()
}

private func violations(
  threads: Int?, steps: Simulation.Options.Steps = .asNeeded,
  strategy: any SchedulingStrategy = Strategies.Portfolio(),
  _ body: @escaping @Sendable (Simulation) async -> Void
) -> [Invariant.Violation] {
  explored(threads: threads, steps: steps, strategy: strategy, body).violations
}

/// Runs the natural order, in which steps that block let others run.
private func naturally(threads: Int, _ body: @escaping @Sendable () async -> Void) {
  let report = explored(
    threads: threads, steps: .preemptible, strategy: Strategies.NaturalOrder(), schedules: 1
  ) { _ in await body() }
  #expect(report.violations.isEmpty)
}

/// Ends the process where the report is another.
private func expectStarvation(
  threads: Int?, steps: Simulation.Options.Steps = .asNeeded,
  strategy: any SchedulingStrategy = Strategies.Portfolio(), _ texts: String...,
  body: @escaping @Sendable (Simulation) async -> Void
) {
  let found = violations(threads: threads, steps: steps, strategy: strategy, body)
  guard found.map(\.invariant) == [Invariant.BuiltIn.deadlock], found[0].diagnosis == .starvation,
    texts.allSatisfy(found[0].message.contains)
  else { fatalError("\(found.map(\.message))") }
}
