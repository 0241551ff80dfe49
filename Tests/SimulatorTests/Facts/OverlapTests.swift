import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

@Suite struct `Steps that overlap` {
  private static let overlapping = Simulation.Options(steps: .preemptible)

  private func outcomes(_ program: SmallProgram) -> (Set<String>, Explorer.Report) {
    program.outcomes(Strategies.ExhaustiveDFS(), schedules: 50_000, options: Self.overlapping)
  }

  @Test func `let a new task run before its maker's next statement`() {
    let program = SmallProgram("maker and task") { _ in
      let log = OverlapLog()
      let task = Task { log.add("task") }
      log.add("maker")
      await task.value
      return log.text
    }
    #expect(program.outcomes(Strategies.ExhaustiveDFS(), schedules: 1_000).0 == ["maker task"])
    let (found, report) = outcomes(program)
    #expect(found == ["maker task", "task maker"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `keep an actor closed while a step of it stands`() {
    let program = SmallProgram("an actor's step") { _ in
      let desk = OverlapDesk()
      async let first: Void = desk.work("a")
      async let second: Void = desk.work("b")
      _ = await (first, second)
      return await desk.text
    }
    let (found, report) = outcomes(program)
    #expect(found == ["a1 a2 b1 b2", "b1 b2 a1 a2"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `open a lock for others before they go on`() {
    let program = SmallProgram("two counters behind a lock") { _ in
      let counter = LockedCounter()
      async let first: Void = counter.increment()
      async let second: Void = counter.increment()
      _ = await (first, second)
      return "\(counter.number)"
    }
    let (found, report) = outcomes(program)
    #expect(found == ["1", "2"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `wait for a mutex that a step holds which stands`() {
    let program = SmallProgram("a task made under a mutex") { _ in
      let pad = Pad()
      async let first: Void = pad.write("a")
      async let second: Void = pad.write("b")
      _ = await (first, second)
      return pad.text
    }
    let (found, report) = outcomes(program)
    #expect(found == ["a1 a2 b1 b2 ", "b1 b2 a1 a2 "])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
    #expect(report.violations.isEmpty)
  }

  @Test func `are left also after a step that ended with a lock in hand`() {
    let program = SmallProgram("a lock held across a yield") { _ in
      let (held, log) = (NSLock(), OverlapLog())
      take(held)
      await Task.yield()
      let task = Task { log.add("task") }
      log.add("maker")
      open(held)
      await task.value
      return log.text
    }
    #expect(outcomes(program).0 == ["maker task", "task maker"])
  }

  /// Locks that outlive the execution: the steps that wait for each other open theirs when they are left.
  @Test func `leave no lock taken behind them`() {
    var explorer = Explorer(name: "global locks", options: Self.overlapping) { _ in
      async let first: Void = nested(lasting.one, lasting.two)
      async let second: Void = nested(lasting.two, lasting.one)
      _ = await (first, second)
    }
    explorer.budget.schedules = 200
    explorer.budget.violationsToFind = nil
    explorer.strategy = Strategies.RandomWalk()
    let report = explorer.explore()
    #expect(report.schedules == 200)
    #expect(report.failures > 5 && report.failures < 200)
    #expect(report.violations.map(\.invariant) == ["deadlock"])
  }

  @Test func `that wait for each other are a deadlock also where the root has returned`() {
    var explorer = Explorer(name: "nobody waits for them", options: Self.overlapping) { _ in
      let (one, two) = (NSLock(), NSLock())
      Task { await nested(one, two) }
      Task { await nested(two, one) }
    }
    explorer.strategy = Strategies.ExhaustiveDFS()
    #expect(explorer.explore().violations.map(\.invariant) == ["deadlock"])
  }

  /// Who has changed what is not known where a step stands while others end.
  @Test func `in whose middle observing begins withdraw the claim`() {
    var explorer = Explorer(name: "observed late", options: Self.overlapping) { simulation in
      let log = OverlapLog()
      let writer = Task {
        Task {}
        log.add("a")
      }
      let watcher = Task { simulation.observe("log") { .text(log.text) } }
      await writer.value
      await watcher.value
    }
    explorer.strategy = Strategies.ExhaustiveDFS()
    let report = explorer.explore()
    #expect(report.holds)
    #expect(report.coverage == nil)
    #expect(
      report.incompleteCoverageText?.contains("values were observed while a step stood in its middle") == true
    )
  }

  @Test func `are judged where none stands in its middle`() {
    var explorer = Explorer(name: "judged", options: Self.overlapping) { simulation in
      let log = OverlapLog()
      simulation.always("nobody sees the middle") { log.text != "a" }
      simulation.always("c is not last") { log.text != "a b c" }
      let task = Task { log.add("c") }
      async let writer: Void = {
        log.add("a")
        Task {}
        log.add("b")
      }()
      await writer
      await task.value
    }
    explorer.strategy = Strategies.ExhaustiveDFS()
    let report = explorer.explore()
    #expect(report.hasPreemptibleSteps)
    #expect(report.violations.map(\.invariant) == ["c is not last"])
  }

  @Test func `wait for a lock that checks errors, and it still tells its holder`() {
    let program = SmallProgram("two nested pairs of locks, the outer one shared") { _ in
      let (outer, first, second) = (CheckedLock(), CheckedLock(), CheckedLock())
      let order = OverlapLog()
      @Sendable func nested(_ inner: CheckedLock, _ name: String) async {
        outer.lock()
        inner.lock()
        if outer.lock() == EDEADLK { order.add(name) }
        inner.unlock()
        outer.unlock()
      }
      async let one: Void = nested(first, "a")
      async let two: Void = nested(second, "b")
      _ = await (one, two)
      return order.text
    }
    let (found, report) = outcomes(program)
    #expect(found == ["a b", "b a"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
    #expect(report.violations.isEmpty)
  }

  @Test func `may be left with a lock in hand`() {
    let program = SmallProgram("two who try") { _ in
      let lock = NSLock()
      let task = Task {
        guard tryToTake(lock) else { return false }
        open(lock)
        return true
      }
      guard tryToTake(lock) else { return "\(await task.value) false" }
      Task {}
      open(lock)
      return "\(await task.value) true"
    }
    let (found, report) = outcomes(program)
    #expect(found == ["true true", "false true", "true false"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `let others run between a try in vain and the next`() {
    let program = SmallProgram("one holds, one tries twice") { _ in
      let (one, two) = (NSLock(), NSLock())
      async let first: Void = nested(one, two)
      async let second = triesTwice(one)
      return await (first, second).1
    }
    let (found, report) = outcomes(program)
    #expect(found == ["free free", "free busy", "busy free", "busy busy"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `end although another step spins on their lock`() {
    let program = SmallProgram("one waits, one spins") { _ in
      let (one, two) = (NSLock(), NSLock())
      async let first: Void = nested(one, two)
      async let second: Void = {
        while !tryToTake(one) {}
        open(one)
      }()
      _ = await (first, second)
      return "done"
    }
    let (found, report) = outcomes(program)
    #expect(found == ["done"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `are over before a task is cancelled whose handler needs their lock`() {
    let program = SmallProgram("cancelled anywhere") { simulation in
      let (one, two) = (NSLock(), NSLock())
      let waits = Task {
        await withTaskCancellationHandler {
          try? await Task.sleep(for: .seconds(1))
        } onCancel: {
          one.withLock {}
        }
      }
      simulation.cancelAnywhere(waits)
      async let other: Void = nested(one, two)
      await other
      await waits.value
      return "done"
    }
    let (found, report) = outcomes(program)
    #expect(found == ["done"])
    #expect(report.violations.isEmpty)
  }

  @Test func `are run as wholes where values are observed, and the report says so`() {
    let options = Self.overlapping
    var explorer = Explorer(name: "watched", options: options) { simulation in
      let log = OverlapLog()
      simulation.observe("log") { .text(log.text) }
      let task = Task { log.add("task") }
      log.add("maker")
      await task.value
    }
    explorer.strategy = Strategies.ExhaustiveDFS()
    let report = explorer.explore()
    #expect(report.holds)
    #expect(!report.hasPreemptibleSteps)
    #expect(report.warnings.contains { $0.hasPrefix("steps are run as wholes although they may overlap") })
  }

  @Test func `leave nothing behind where an execution ends while steps stand`() {
    let program = SmallProgram("a deadlock again and again") { _ in
      let (one, two) = (NSLock(), NSLock())
      async let first: Void = nested(one, two)
      async let second: Void = nested(two, one)
      _ = await (first, second)
      return "done"
    }
    var options = Self.overlapping
    options.timeLimit = .seconds(1)
    var explorer = Explorer(name: program.name, options: options) { simulation in
      _ = await program.body(simulation)
    }
    explorer.budget.schedules = 500
    explorer.budget.violationsToFind = nil
    explorer.strategy = Strategies.RandomWalk()
    let report = explorer.explore()
    #expect(report.schedules == 500)
    #expect(report.failures > 20)
    #expect(report.violations.map(\.invariant) == ["deadlock"])
  }

  @Test func `show that two steps wait for each other's lock`() throws {
    let program = SmallProgram("inverted order") { _ in
      let (one, two) = (NSLock(), NSLock())
      async let first: Void = nested(one, two)
      async let second: Void = nested(two, one)
      _ = await (first, second)
      return "done"
    }
    let (found, report) = outcomes(program)
    #expect(found == ["done"])
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == "deadlock")
    // Each says what it waits for, who has it, and where it stands.
    for (waiter, holder) in [(1, 2), (2, 1)] {
      #expect(
        violation.message.contains(
          "\(waiter) waits for a lock that \(holder) holds at closure in nested(_:)"),
        "\(violation.message)")
    }
  }
}

private func take(_ lock: NSLock) { lock.lock() }
private func open(_ lock: NSLock) { lock.unlock() }
private func tryToTake(_ lock: NSLock) -> Bool { lock.try() }
private func triesTwice(_ lock: NSLock) async -> String {
  let tries = (0..<2).map { _ in
    guard lock.try() else { return "busy" }
    lock.unlock()
    return "free"
  }
  return tries.joined(separator: " ")
}
private let lasting = (one: NSLock(), two: NSLock())

private func nested(_ outer: NSLock, _ inner: NSLock) async {
  outer.withLock { inner.withLock {} }
}

final class OverlapLog: @unchecked Sendable {
  // @unchecked Sendable because one step of a simulation runs at a time. A mutex would be one more scheduling point.
  private var lines: [String] = []
  func add(_ line: String) { lines.append(line) }
  var text: String { lines.joined(separator: " ") }
}

private final class Pad: Sendable {
  private let lines = Mutex("")

  func write(_ name: String) async {
    lines.withLock {
      $0 += name + "1 "
      Task {}
      $0 += name + "2 "
    }
  }

  var text: String { lines.withLock { $0 } }
}

private actor OverlapDesk {
  private let log = OverlapLog()
  func work(_ name: String) {
    log.add(name + "1")
    Task {}
    log.add(name + "2")
  }
  var text: String { log.text }
}

/// Refuses to be taken twice by one thread, as the locks of swift-nio do in debug builds.
@safe private final class CheckedLock: @unchecked Sendable {
  // @unchecked Sendable because only the functions of the system look into the mutex.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    unsafe pthread_mutex_init(mutex, &attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  @discardableResult func lock() -> Int32 { unsafe pthread_mutex_lock(mutex) }
  func unlock() { unsafe pthread_mutex_unlock(mutex) }
}

private final class LockedCounter: @unchecked Sendable {
  // @unchecked Sendable because `number` is reached under the lock only.
  private let lock = NSLock()
  private(set) var number = 0

  func increment() async {
    let before = lock.withLock { number }
    lock.withLock { number = before + 1 }
  }
}
