import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// A task that can run is not passed over for ever while another yields, and a program that polls gets its timer.
@Suite struct `No search starves a task` {
  @Test(arguments: Strategies.Named.all.map(\.name))
  func `when another waits for it by yielding`(_ strategy: String) throws {
    let report = try Self.explore(strategy) { simulation in
      let flag = Cell()
      Task {
        for _ in 0..<5 { await flag.add(1) }
      }
      while await flag.value < 5 { await Task.yield() }
    }
    #expect(report.violations.map(\.message) == [])
    #expect(report.steps / report.schedules < 2_000)
  }

  @Test(arguments: Strategies.Named.all.map(\.name))
  func `when another gives way twenty times by tasks of background priority`(_ strategy: String) throws {
    let report = try Self.explore(strategy) { simulation in
      let cell = Cell()
      Task {
        for _ in 0..<3 { await cell.add(1) }
      }
      for _ in 0..<20 { await Task.detached(priority: .background) { await Task.yield() }.value }
      let value = await cell.value
      if value != 3 { simulation.fail("others-have-run", "only \(value) of three") }
    }
    #expect(report.violations.map(\.message) == [])
  }

  @Test(arguments: Strategies.Named.all.map(\.name))
  func `when another goes from actor to actor`(_ strategy: String) throws {
    let report = try Self.explore(strategy, schedules: 20) { simulation in
      let flag = Cell()
      Task { await flag.set(1) }
      while await flag.value == 0 {}
    }
    #expect(report.violations.map(\.message) == [])
  }

  /// The least fair strategy that there can be.
  @Test(arguments: [true, false])
  func `where the strategy always takes what came last`(_ yields: Bool) throws {
    let passes = Log<Int>()
    var explorer = Explorer(name: "last come") { _ in
      let flag = Cell()
      Task {
        for _ in 0..<3 { await flag.add(1) }
      }
      var rounds = 0
      while await flag.value < 3 {
        rounds += 1
        if yields { await Task.yield() }
      }
      passes.append(rounds)
    }
    explorer.strategy = LastCome()
    explorer.budget.schedules = 5
    explorer.budget.shrinkingExecutions = 0
    #expect(explorer.explore().violations.map(\.message) == [])
    let rounds = try #require(passes.all.max())
    #expect(rounds < (yields ? 500 : 60_000))
  }

  @Test func `where a step goes round a lock and the strategy always takes what came last`() throws {
    let passes = Log<Int>()
    var explorer = Explorer(name: "goes round", options: Simulation.Options(steps: .preemptible)) { _ in
      let count = Counted()
      Task {
        for _ in 0..<3 { count.add(1) }
      }
      var rounds = 0
      while count.value < 3 { rounds += 1 }
      passes.append(rounds)
    }
    explorer.strategy = LastCome()
    explorer.budget.schedules = 3
    explorer.budget.shrinkingExecutions = 0
    #expect(explorer.explore().violations.map(\.message) == [])
    #expect(try #require(passes.all.max()) < 5_000)
  }

  /// It asks in a circle until its queue has let go of each, by locks of Foundation's own.
  @Test(arguments: Strategies.Named.all.map(\.name))
  func `when Foundation waits for operations that have finished`(_ strategy: String) async throws {
    let asked = Log<Int>()
    var explorer = Explorer(name: "operations", options: Simulation.Options(steps: .preemptible)) { _ in
      let queue = OperationQueue()
      let operations = (0..<3).map { _ in Unhurried() }
      for operation in operations { queue.addOperation(operation) }
      queue.cancelAllOperations()
      await withCheckedContinuation { waiting in
        Thread.detachNewThread {
          queue.waitUntilAllOperationsAreFinished()
          waiting.resume()
        }
      }
      asked.append(operations.map(\.asked.value).reduce(0, +))
    }
    explorer.strategy = try #require(Strategies.Named.named(strategy)).make()
    explorer.budget.schedules = 40
    explorer.budget.shrinkingExecutions = 0
    #expect(explorer.explore().violations.map(\.message) == [])
    #expect(try #require(asked.all.max()) < 50_000)
  }

  /// Explores with a strategy by its name; all that comes to a violation is kept.
  private static func explore(
    _ strategy: String, schedules: Int = 100, _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) throws -> Explorer.Report {
    var explorer = Explorer(name: "fair", body: body)
    explorer.budget.schedules = schedules
    explorer.budget.shrinkingExecutions = 0
    explorer.strategy = try #require(Strategies.Named.named(strategy)).make()
    return explorer.explore()
  }
}

@Suite struct `A program that polls` {
  @Test(arguments: Strategies.Named.all.map(\.name))
  func `gets the timer that it waits for, by yielding`(_ strategy: String) throws {
    var explorer = Explorer(name: "polls") { simulation in
      let flag = Cell()
      Task {
        for _ in 0..<3 { try await Task.sleep(for: .seconds(1)) }
        await flag.set(1)
      }
      while await flag.value == 0 { await Task.yield() }
      if simulation.now < VirtualInstant.start.advanced(by: .seconds(3)) {
        simulation.fail("time", "\(simulation.now)")
      }
    }
    explorer.budget.schedules = 10
    explorer.strategy = try #require(Strategies.Named.named(strategy)).make()
    #expect(explorer.explore().violations.map(\.message) == [])
  }

  @Test func `gets the timer that it waits for, by asking an actor`() {
    let execution = simulate(.natural) { _ in
      let flag = Cell()
      Task {
        try await Task.sleep(for: .seconds(1))
        await flag.set(1)
      }
      while await flag.value == 0 {}
    }
    #expect(execution.violations.map(\.message) == [])
  }

  @Test func `gets its timer where there is no bound on steps`() {
    var options = Simulation.Options()
    options.stepLimitPerInstant = .max
    let execution = simulate(.natural, options: options) { _ in
      let flag = Cell()
      Task {
        try await Task.sleep(for: .seconds(1))
        await flag.set(1)
      }
      while await flag.value == 0 { await Task.yield() }
    }
    #expect(execution.violations.map(\.message) == [])
  }

  @Test func `does not lose time while others have work to do`() {
    let execution = simulate(.natural) { simulation in
      let timeout = Task { try await Task.sleep(for: .seconds(30)) }
      for _ in 0..<1_000 { await Task.yield() }
      let cell = Cell()
      for _ in 0..<10_000 { await cell.add(1) }
      if simulation.now > .start { simulation.fail("time", "time has moved to \(simulation.now)") }
      timeout.cancel()
    }
    #expect(execution.violations.map(\.message) == [])
  }

  @Test func `does not lose time while tasks work that go from actor to actor`() {
    let execution = simulate(.natural) { simulation in
      let timeout = Task { try await Task.sleep(for: .seconds(30)) }
      let cell = Cell()
      for _ in 0..<60_000 { await cell.add(1) }
      if simulation.now > .start { simulation.fail("time", "time has moved to \(simulation.now)") }
      timeout.cancel()
    }
    #expect(execution.violations.map(\.message) == [])
  }

  @Test func `to no end is a livelock, whatever else goes on`() {
    var options = Simulation.Options()
    options.stepLimitPerInstant = 100_000
    let execution = simulate(.natural, options: options) { _ in
      Task { while !Task.isCancelled { try await Task.sleep(for: .seconds(1)) } }
      while !Task.isCancelled { await Task.yield() }
    }
    #expect(execution.violations.map(\.invariant) == [Invariant.BuiltIn.livelock])
  }
}

@Suite struct `A livelock` {
  @Test func `is told with the steps that repeat, and its lines are folded`() throws {
    var explorer = Explorer(name: "livelock", options: .init(stepLimitPerInstant: 100_000)) { _ in
      let first = Cell()
      let second = Cell()
      while !Task.isCancelled {
        await first.add(1)
        await second.add(1)
      }
    }
    explorer.budget.schedules = 5
    let violation = try #require(explorer.explore().violations.first)
    #expect(violation.invariant == Invariant.BuiltIn.livelock)
    #expect(violation.message.hasPrefix("no end within 100000 steps; the same "))
    #expect(violation.message.hasSuffix(" steps repeat"))
    let text = "\(violation)"
    #expect(text.contains("↻ the last "))
    #expect(text.split(separator: "\n").count < 40)
  }

  @Test func `is none where much work comes to an end`() {
    let execution = simulate(.natural) { _ in
      let cell = Cell()
      for _ in 0..<150_000 { await cell.add(1) }
    }
    #expect(execution.steps > 200_000)
    #expect(execution.violations.map(\.message) == [])
  }

  @Test func `is none where a task yields often and then comes to an end`() {
    let execution = simulate(.natural) { _ in for _ in 0..<400_000 { await Task.yield() } }
    #expect(execution.violations.map(\.message) == [])
  }

  @Test func `that only one order leads to is found, and no other is called so`() throws {
    var explorer = Explorer(name: "livelock", options: .init(stepLimitPerInstant: 100_000)) { _ in
      let turn = Cell()
      Task { await turn.set(1) }
      let isFirst = await turn.value == 1
      while isFirst, !Task.isCancelled { await Task.yield() }
    }
    explorer.budget.schedules = 50
    let report = explorer.explore()
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.livelock])
    #expect(report.failures < report.schedules)
  }
}

@Suite struct `Fairness allows` {
  @Test func `that what is less urgent yields and goes on first, as where a thread is held up`() {
    let notes = Log<String>()
    var explorer = Explorer(name: "held up") { _ in
      let order = Log<String>()
      let low = Task(priority: .low) {
        await Task.yield()
        order.append("low")
      }
      let high = Task(priority: .high) { order.append("high") }
      await low.value
      await high.value
      notes.append(order.all.joined(separator: " "))
    }
    explorer.budget.schedules = 300
    _ = explorer.explore()
    #expect(Set(notes.all) == ["low high", "high low"])
  }
}

@Suite struct `What fairness leaves out` {
  @Test func `is not claimed by the reduced search`() {
    let report = Self.explore(Strategies.ExhaustiveReduced(), yields: 40)
    #expect(report.coverage == nil)
    #expect(report.coverageText.contains("unfair schedules were left out"))
  }

  @Test func `is named by the exhaustive search`() {
    let report = Self.explore(Strategies.ExhaustiveDFS(), yields: 40)
    #expect(report.coveredText?.contains("fair schedules of whole steps explored") == true)
  }

  @Test func `is nothing where tasks yield a few times`() {
    let report = Self.explore(Strategies.ExhaustiveDFS(), yields: 5)
    #expect(!report.skippedUnfairSchedules)
    #expect(report.coverage == .everySchedule)
  }

  private static func explore(_ strategy: any SchedulingStrategy, yields: Int) -> Explorer.Report {
    var explorer = Explorer(name: "yields") { _ in
      let cell = Cell()
      let other = Task { await cell.add(1) }
      for _ in 0..<yields { await Task.yield() }
      await cell.set(2)
      await other.value
    }
    explorer.budget.schedules = 20_000
    explorer.strategy = strategy
    return explorer.explore()
  }
}

private final class Counted: @unchecked Sendable {
  // @unchecked Sendable because the lock guards all there is.
  private let lock = NSLock()
  private var count = 0

  var value: Int { lock.withLock { count } }

  func add(_ more: Int) { lock.withLock { count += more } }
}

/// An operation with states of its own, as apps write it; it ends later than its `start`.
private final class Unhurried: Operation, @unchecked Sendable {
  // @unchecked Sendable because what changes is behind locks.
  let asked = Counted()
  private let finished = Counted()

  override var isAsynchronous: Bool { true }

  override var isFinished: Bool {
    asked.add(1)
    return finished.value > 0
  }

  override func start() {
    DispatchQueue.global().async {
      self.willChangeValue(for: \.isFinished)
      self.finished.add(1)
      self.didChangeValue(for: \.isFinished)
    }
  }
}
