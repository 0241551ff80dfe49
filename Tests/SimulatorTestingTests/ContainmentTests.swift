import Foundation
import Simulator
import SimulatorStrategies
import Testing

/// What a schedule that ends its process does to a simulated test, and to the tests beside it, seen from outside.
@Suite(.preparing { Fixtures.crashing }) struct `A simulated test that would end its process` {
  /// The one issue of a fixture.
  private func issue(_ name: String) throws -> Recorded {
    let issues = Recorded.all(of: name, in: Fixtures.crashing)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    return issues[0]
  }

  @Test(arguments: [
    ("fatal()", "Fatal error: the cart is gone"), ("outOfRange()", "Fatal error: Index out of range"),
    ("failedPrecondition()", "Precondition failed: never overdrawn"),
    ("unwrapped()", "Fatal error: Unexpectedly found nil while unwrapping an Optional value"),
    ("exits()", "the process was ended by exit(3)"),
    ("judgedTypeTraps()", "Precondition failed: a seat is taken twice"),
    ("severalLinesOnAThread()", "Precondition failed: the cart is gone exit(0), at closure in "),
    ("recursesForEver()", "or recursion that used up the stack, at Crashing.depth(below:)"),
  ])
  func `has one issue, which names the violation and what ended it`(name: String, words: String) throws {
    let issue = try issue(name)
    #expect(issue.headline.contains("Crash: "))
    #expect(issue.headline.contains(words))
    #expect(issue.text.contains("violates no-crash"))
  }

  @Test func `is shrunk, and its schedule runs ten times`() throws {
    let text = try issue("fatal()").text
    #expect(text.contains("1 deviation"))
    #expect(text.contains("reproduced 10/10"))
  }

  @Test func `ends with the trait that replays the crash`() throws {
    let token = try #require(try issue("fatal()").token)
    #expect(!token.hasSuffix("#00000000"))
    let again = Recorded.all(
      of: "replayedCrash()", in: Fixtures.replay(token, in: "Crashing/replayedCrash"))
    try #require(again.count == 1, "\(again)")
    #expect(again[0].text.contains("violates no-crash"))
    #expect(again[0].headline.contains("the cart is gone"))
    #expect(again[0].token == token)
  }

  @Test func `leaves the other tests to go on`() {
    #expect(Fixtures.crashing.contains("Test passes() passed"))
    #expect(Fixtures.crashing.contains("Test isOrdinary() passed"))
    #expect(Fixtures.crashing.contains("Test run with"))
  }

  @Test func `has an issue for the argument that it belongs to`() throws {
    let issue = try issue("argument(number:)")
    #expect(issue.headline.contains("with 1 argument number → 2"))
    #expect(issue.headline.contains("number 2"))
  }

  @Test func `tells what it recorded before`() throws {
    let issues = Recorded.all(of: "failsBeforeItDies()", in: Fixtures.crashing)
    #expect(issues.count == 2, "\(issues.map(\.headline))")
    #expect(issues.contains { $0.headline.contains("told before") })
    #expect(issues.contains { $0.text.contains("violates no-crash") })
  }

  @Test func `fails where its limits are no numbers`() throws {
    let issues = Recorded.all(of: "passes()", in: Fixtures.stalled(after: "soon"))
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    #expect(
      issues[0].headline.contains(
        "`SIMULATOR_STALL_SECONDS` is “soon”; allowed: a whole number from 1 to 86400"))
    #expect(Fixtures.stalled(after: "7").contains("Test passes() passed"))
  }

  @Test func `keeps its suite, which no other process could be given`() {
    #expect(Fixtures.crashing.contains("Test seesItsSuite() passed"))
  }

  @Test(arguments: [
    "a line of the body", "a line of its errors", "a line of another schedule",
    "a line of the failing schedule",
  ])
  func `prints what its body prints in the first schedule, and in the one that fails`(line: String) {
    #expect(Fixtures.crashing.components(separatedBy: line).count == 2)
  }

  @Test(arguments: [
    ("resumedTwice()", "answer()", "Reply.giveUp() Crashing.swift:96", "Reply.deliver() Crashing.swift:92"),
    ("resumedByEmptyCalls()", "wait()", "Door.slam() Crashing.swift:166", "Door.open() Crashing.swift:162"),
    ("resumedByResults()", "ask()", "Desk.refuse() Crashing.swift:188", "Desk.serve() Crashing.swift:184"),
  ])
  func `says that a continuation was completed twice, and where both calls are`(
    name: String, function: String, second: String, first: String
  ) throws {
    let headline = try issue(name).headline
    #expect(headline.contains("Completed twice: "))
    #expect(
      headline.contains(
        "a continuation of \(function) was resumed a second time, at \(second); the first time at \(first)"))
  }

  @Test func `tells what failed in the step that ended the process, and then that it did`() throws {
    let issues = Recorded.all(of: "failsAsItDies()", in: Fixtures.crashing)
    try #require(issues.count == 2, "\(issues.map(\.headline))")
    #expect(issues[0].headline.contains("told in the same step"))
    #expect(issues[0].text.contains("violates expectation at Crashing.swift:"))
    #expect(issues[1].text.contains("violates no-crash"))
  }

  @Test func `fills no screen with what the runtime says of a crash`() {
    #expect(!Fixtures.crashing.contains("Thread 0"))
    #expect(!Fixtures.crashing.contains("Backtrace took"))
    #expect(Fixtures.crashing.components(separatedBy: "SWIFT TASK CONTINUATION MISUSE").count <= 2)
  }
}

/// The real time that a search may take.
@Suite(.preparing { Fixtures.lasting }) struct `A time budget` {
  @Test func `ends a search, which says what was covered`() throws {
    let issues = Recorded.all(of: "bounded()", in: Fixtures.lasting)
    try #require(issues.count == 1, "\(Fixtures.lasting)")
    #expect(issues[0].headline.contains("recorded a warning"))
    #expect(issues[0].text.contains("schedules, and then its time was over: "))
    #expect(issues[0].text.contains("distinct behavior"))
    #expect(Fixtures.lasting.contains("Test bounded() passed"))
  }

  @Test func `of a suite is shared by its tests`() throws {
    let first = try #require(Recorded.all(of: "first()", in: Fixtures.lasting).first)
    let second = try #require(Recorded.all(of: "second()", in: Fixtures.lasting).first)
    let texts = [first.text, second.text]
    #expect(texts.contains { $0.contains("holds in 1 schedule,") })
    #expect(texts.contains { !$0.contains("holds in 1 schedule,") })
  }
}

/// The copies of the process in which a search runs.
@Suite struct `A search in a copy of the process` {
  /// What is found of a body that `misbehaves` in one of two schedules.
  private func report(
    stall: Duration = .milliseconds(300), beside other: (@Sendable () async -> Void)? = nil,
    _ misbehaves: @escaping @Sendable () -> Void
  ) throws -> Explorer.Report {
    let explorer = Explorer(name: "contained") { simulation in
      if let other {
        Task { await other() }
        await Task.yield()
      }
      if simulation.choose(among: [false, true]) { misbehaves() }
    }
    var limits = Explorer.ProcessLimits()
    limits.stall = stall
    let outcome: Containment.Outcome<Explorer.Report> = Containment(limits).run(explorer) { $0.explore() }
    guard case .answered(let report) = outcome else { throw CancellationError() }
    return report
  }

  @Test func `finds a step that does not return`() throws {
    let found = try report { while true {} }
    #expect(found.violations.map(\.invariant) == [Invariant.BuiltIn.noHang])
  }

  /// Once a step has hung, others are given less time. A step that is only slow must not take the blame.
  @Test func `does not report a step that is slow in place of one that hangs`() throws {
    // Time is virtual in a simulation, so rounds of a loop stand for it there.
    var rounds = 0
    let begin = ContinuousClock.now
    while begin.duration(to: .now) < .milliseconds(200) { rounds += Self.spin(1_000) }
    let many = rounds
    var explorer = Explorer(name: "slow") { simulation in
      let (one, other) = (simulation.choose(among: Array(0..<20)), simulation.choose(among: Array(0..<20)))
      while one > 0, other > 0 {}
      if one + other > 0 { _ = Self.spin(many) }
    }
    // It comes to a hang before it comes to a slow step.
    explorer.strategy = Strategies.RandomWalk()
    var limits = Explorer.ProcessLimits()
    limits.stall = .milliseconds(700)
    let outcome: Containment.Outcome<Explorer.Report> = Containment(limits).run(explorer) { $0.explore() }
    guard case .answered(let report) = outcome else { throw CancellationError() }
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.noHang])
    #expect(report.violations.first?.token.schedule.deviations.count == 2)
  }

  @inline(never) private static func spin(_ rounds: Int) -> Int {
    var sum = 0
    for round in 0..<rounds { sum = sum &* 31 &+ round }
    return sum == 1 ? 0 : rounds
  }

  @Test func `says that others could run while a step did not return`() throws {
    let found = try report {
      Task { await Task.yield() }
      while true {}
    }
    let line = #line - 2
    // The step had begun before it made the task: nothing waited then.
    let message = try #require(found.violations.first).message
    #expect(message.contains("of real time, at ") && message.contains("ContainmentTests.swift:\(line)"))
    #expect(!message.contains("while others could run"))
    let beside = try report(beside: { try? await Task.sleep(for: .seconds(1)) }) { while true {} }
    #expect(try #require(beside.violations.first).message.contains("while others could run"))
  }

  /// The main operation queue is the process's: what an execution of whole steps left on it would keep it busy for ever.
  @Test func `runs no whole steps where the first look says that they wait`() throws {
    let explorer = Explorer(name: "posts") { _ in
      let center = NotificationCenter()
      let token = center.addObserver(forName: Notification.Name("x"), object: nil, queue: .main) { _ in }
      await withCheckedContinuation { waiting in
        Thread.detachNewThread {
          center.post(name: Notification.Name("x"), object: nil)
          waiting.resume()
        }
      }
      center.removeObserver(token)
    }
    let outcome: Containment.Outcome<Explorer.Report> = Containment().run(explorer) { explorer in
      explorer.budget.schedules = 20
      return explorer.explore()
    }
    guard case .answered(let report) = outcome else { throw CancellationError() }
    #expect(report.violations.map(\.message) == [])
    #expect(report.schedules == 20)
  }

  @Test(.timeLimit(.minutes(2)))
  func `finds a step that waits for itself, though other threads of the process are at work`() throws {
    let isOver = Flag()
    let busy = Thread {
      while !isOver.isSet {}
    }
    busy.start()
    defer { isOver.set() }
    // Longer than a copy may sleep, as it is where nobody sets it.
    let found = try report(stall: .seconds(2)) {
      let lock = NSLock()
      lock.lock()
      lock.lock()
    }
    #expect(found.violations.map(\.invariant) == [Invariant.BuiltIn.deadlock])
  }

  /// A copy that was made while the other thread had the lock never gets it, nor does a child of that copy.
  @Test(.timeLimit(.minutes(2))) func `finds nothing where another thread had a lock as the copy was made`()
    throws
  {
    let isOver = Flag()
    let lock = try UnwatchedLock()
    let other = Thread {
      while !isOver.isSet { lock.hold(for: 60_000) }
    }
    other.start()
    defer { isOver.set() }
    // In every execution, so that the look before the search waits too.
    let found = try report(stall: .seconds(2), beside: { lock.hold(for: 0) }) {}
    #expect(found.violations.map(\.message) == [])
  }

  @Test func `changes a global there only`() throws {
    let before = Self.changes.isSet
    let found = try report { Self.changes.set() }
    #expect(found.holds)
    #expect(Self.changes.isSet == before)
  }

  private static let changes = Flag()

  @Test func `goes on beside threads that are at work`() async throws {
    let isOver = Flag()
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          var words: [String] = []
          while !isOver.isSet {
            words = (0..<100).map { "\($0)" }.filter { !$0.isEmpty && words.count < 1_000 }
            await Task.yield()
          }
        }
      }
      group.addTask {
        for _ in 0..<30 {
          let found = try report {}
          #expect(found.holds)
        }
        isOver.set()
      }
      try await group.waitForAll()
    }
  }
}

/// A lock as a library uses it: the simulation does not see it.
@safe private final class UnwatchedLock: @unchecked Sendable {
  private typealias Call = @convention(c) (UnsafeMutablePointer<pthread_mutex_t>) -> Int32

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let take: Call
  private let leave: Call

  init() throws {
    let library = try unsafe #require(dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD))
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe take = unsafeBitCast(dlsym(library, "pthread_mutex_lock"), to: Call.self)
    unsafe leave = unsafeBitCast(dlsym(library, "pthread_mutex_unlock"), to: Call.self)
  }

  deinit { unsafe mutex.deallocate() }

  /// Holds it for so many microseconds, and rests for half as long.
  func hold(for time: UInt32) {
    _ = unsafe take(mutex)
    if time > 0 { usleep(time) }
    _ = unsafe leave(mutex)
    if time > 0 { usleep(time / 2) }
  }
}
