import Foundation
import Simulator
import Synchronization
import Testing

@Suite struct `Steps that overlap` {
  private static let overlapping = Simulation.Options(steps: .overlapping)

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
    #expect(report.coverage == .everySchedule, "\(report.shortfall ?? "")")
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
    #expect(report.coverage == .everySchedule, "\(report.shortfall ?? "")")
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
    #expect(report.coverage == .everySchedule, "\(report.shortfall ?? "")")
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
    #expect(report.coverage == .everySchedule, "\(report.shortfall ?? "")")
    #expect(report.violations.isEmpty)
  }

  @Test func `are run as wholes where values are watched, and the report says so`() {
    let options = Self.overlapping
    var explorer = Explorer(name: "watched", options: options) { simulation in
      let log = OverlapLog()
      simulation.always("the task comes second") { log.text != "task" }
      let task = Task { log.add("task") }
      log.add("maker")
      await task.value
    }
    explorer.strategy = Strategies.ExhaustiveDFS()
    let report = explorer.explore()
    #expect(report.holds)
    #expect(!report.overlaps)
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
    explorer.budget.stopsAfter = nil
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

private func nested(_ outer: NSLock, _ inner: NSLock) async {
  outer.withLock { inner.withLock {} }
}

private final class OverlapLog: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var text: String { lines.withLock { $0.joined(separator: " ") } }
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

private final class LockedCounter: @unchecked Sendable {
  // @unchecked Sendable because `number` is reached under the lock only.
  private let lock = NSLock()
  private(set) var number = 0

  func increment() async {
    let before = lock.withLock { number }
    lock.withLock { number = before + 1 }
  }
}
