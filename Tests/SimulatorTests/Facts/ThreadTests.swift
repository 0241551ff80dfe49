import Foundation
import Simulator
import SimulatorStrategies
import Testing

@Suite struct `Threads and run loops` {
  private static let programs = SmallProgram.withThreads + SmallProgram.withRunLoops

  @Test(arguments: programs)
  func `come to all that they can, and to nothing else`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(Strategies.RandomWalk(), schedules: 500, steps: .asNeeded)
    #expect(found == one.outcomes)
    #expect(report.violations.map(\.message) == [])
  }

  @Test(arguments: programs)
  func `come to the same in depth first search`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveDFS(), schedules: 2_000, steps: .asNeeded)
    #expect(found.isSubset(of: one.outcomes))
    // Some have more schedules than a test has time for.
    if report.coverage != nil { #expect(found == one.outcomes) }
    #expect(report.violations.map(\.message) == [])
  }

  @Test(arguments: programs)
  func `come to the same in a reduced search`(_ one: SmallProgram.OfQueues) {
    let (found, report) = one.program.allOutcomes(
      Strategies.ExhaustiveReduced(), schedules: 20_000, steps: .asNeeded)
    #expect(report.violations.map(\.message) == [])
    // Where it does not see what is shared, it says so.
    if report.coverage != nil { #expect(found == one.outcomes) }
  }

  private static func explored(_ body: @escaping @Sendable (Simulation) async -> Void) -> [String] {
    exhaust(schedules: 50, body).violations.map(\.message)
  }

  private static let questions: @Sendable (Simulation) async -> Void = { simulation in
    @Sendable func expect(_ holds: Bool, _ what: String) { if !holds { simulation.fail(what, what) } }
    @Sendable func asksOnMain() {
      expect(Thread.isMainThread, "the main thread")
      expect(Thread.current === Thread.mainThread, "`Thread.current` on the main thread")
      expect(RunLoop.current === RunLoop.main, "`RunLoop.current` on the main thread")
      expect(OperationQueue.current === OperationQueue.main, "`OperationQueue.current` on the main thread")
      Thread.current.threadDictionary["whose"] = "main's"
    }
    @Sendable func asksElsewhere() {
      expect(!Thread.isMainThread, "not the main thread")
      expect(Thread.current !== Thread.mainThread, "`Thread.current` elsewhere")
      expect(Thread.current === Thread.current, "`Thread.current` twice")
      expect(RunLoop.current !== RunLoop.main, "`RunLoop.current` elsewhere")
      expect(OperationQueue.current == nil, "`OperationQueue.current` elsewhere")
      expect(Thread.current.threadDictionary["whose"] == nil, "the dictionary of another thread")
      Thread.current.threadDictionary["whose"] = "another's"
    }
    await MainActor.run { asksOnMain() }
    here { asksElsewhere() }
    for queue in [DispatchQueue.global(), DispatchQueue(label: "serial")] {
      await withCheckedContinuation { waiting in
        queue.async {
          asksElsewhere()
          DispatchQueue.main.async {
            asksOnMain()
            queue.sync { asksOnMain() }
            waiting.resume()
          }
        }
      }
    }
    let operations = OperationQueue()
    await withCheckedContinuation { waiting in
      operations.addOperation {
        expect(OperationQueue.current === operations, "`OperationQueue.current` in an operation")
        waiting.resume()
      }
    }
  }

  @Test func `each is told which thread it is on`() {
    #expect(Self.explored(Self.questions) == [])
  }

  /// So it makes no difference which thread that is: the loop of the main one is served.
  @Test func `none has the run loop or the values of the thread that explores`() {
    let explorers = (ObjectIdentifier(RunLoop.current), ObjectIdentifier(Thread.current))
    let messages = Self.explored { simulation in
      @Sendable func asks() {
        let own = (ObjectIdentifier(RunLoop.current), ObjectIdentifier(Thread.current))
        if own.0 == explorers.0 { simulation.fail("loop", "the run loop of the explorer") }
        if own.1 == explorers.1 { simulation.fail("thread", "the thread of the explorer") }
      }
      here { asks() }
      await MainActor.run { asks() }
      await withCheckedContinuation { waiting in
        DispatchQueue.global().async {
          asks()
          waiting.resume()
        }
      }
    }
    #expect(messages == [])
  }

  /// Takes its time to be freed: not the simulation's, to which a thread that ends does not belong.
  private final class Late: Sendable {
    private let log: QueueLog
    init(_ log: QueueLog) { self.log = log }
    deinit {
      usleep(2_000)
      log.add("freed")
    }
  }

  @Test func `a thread that ends has freed what it kept before another step begins`() {
    let messages = Self.explored { simulation in
      let log = QueueLog()
      Thread.detachNewThread { Thread.current.threadDictionary["late"] = Late(log) }
      try? await Task.sleep(for: .seconds(1))
      if log.text != "freed" { simulation.fail("late", "the thread has ended, and frees only now") }
    }
    #expect(messages == [])
  }

  @Test func `a notification for the main queue is delivered in place on the main thread`() {
    let messages = Self.explored { simulation in
      @Sendable func posts() {
        let (center, log) = (NotificationCenter(), QueueLog())
        let observer = center.addObserver(forName: .init("it"), object: nil, queue: .main) { _ in log.add("1")
        }
        center.post(name: .init("it"), object: nil)
        log.add("2")
        center.removeObserver(observer)
        if log.text != "12" { simulation.fail("order", log.text) }
      }
      await MainActor.run { posts() }
      await withCheckedContinuation { waiting in
        DispatchQueue.main.async {
          posts()
          waiting.resume()
        }
      }
    }
    #expect(messages == [])
  }

  @Test func `who waits at a barrier for ever is part of a deadlock`() throws {
    let program = SmallProgram("barrier") { _ in
      here { Barrier(2).wait() }
      return ""
    }
    let report = program.allOutcomes(Strategies.ExhaustiveDFS(), steps: .asNeeded).report
    let message = try #require(report.violations.first).message
    #expect(message.contains("others to come to its barrier") || message.contains("pthread_barrier_wait"))
  }

  @Test func `a thread that waits for a lock of another is part of a deadlock`() throws {
    let program = SmallProgram("two locks") { _ in
      let (one, two, done) = (NSLock(), NSLock(), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        one.withLock { two.withLock {} }
        done.signal()
      }
      two.withLock { one.withLock {} }
      here { done.wait() }
      return ""
    }
    let report = program.allOutcomes(Strategies.ExhaustiveDFS(), steps: .asNeeded).report
    let deadlock = try #require(report.violations.first { $0.invariant == Invariant.BuiltIn.deadlock })
    #expect(deadlock.message.contains("the work of thread 1 waits for a lock"))
  }

  @Test func `a thread is a domain of its own`() throws {
    var explorer = Explorer(name: "domains") { simulation in
      await withCheckedContinuation { waiting in
        Thread.detachNewThread { waiting.resume() }
      }
      simulation.fail("shown", "so that there is a trace")
    }
    explorer.budget.schedules = 1
    let violation = try #require(explorer.explore().violations.first)
    #expect(violation.trace.domains.contains { $0.type == "thread 1" && $0.kind == .thread })
  }
}
