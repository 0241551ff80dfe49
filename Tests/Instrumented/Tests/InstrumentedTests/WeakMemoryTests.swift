import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// Where memory is weak, loads answer older stores: as often as the language allows, and never more often.
@Suite struct `Weak memory` {
  private static let weak = Simulation.Options(steps: .preemptible, memory: .weak)

  @Test(arguments: MemoryProgram.all)
  func `shows what the orders of the atomics allow, and no more`(_ program: MemoryProgram) {
    let depthFirst: [any SchedulingStrategy] = program.tasks.count == 2 ? [Strategies.ExhaustiveDFS()] : []
    for strategy in depthFirst + [Strategies.ExhaustiveReduced()] {
      let (outcomes, report) = program.small.outcomes(strategy, schedules: 300_000, options: Self.weak)
      #expect(outcomes == program.weak, "\(report)")
      #expect([.everySchedule, .everyBehavior].contains(report.coverage), "\(report)")
    }
  }

  @Test(arguments: MemoryProgram.all)
  func `is not searched unless asked for`(_ program: MemoryProgram) {
    let options = Simulation.Options(steps: .preemptible)
    let (outcomes, _) = program.small.outcomes(
      Strategies.ExhaustiveReduced(), schedules: 300_000, options: options)
    #expect(outcomes == program.strong)
  }

  @Test(arguments: MemoryProgram.all.filter { $0.weak != $0.strong })
  func `is found by the default strategy`(_ program: MemoryProgram) {
    let options = Simulation.Options(memory: .weak)
    let (outcomes, report) = program.small.outcomes(.portfolio, schedules: 1_000, options: options)
    #expect(outcomes == program.weak, "\(report)")
  }

  @Test(arguments: MemoryProgram.all.filter { $0.weak != $0.strong })
  func `is reported with the machines that show it`(_ program: MemoryProgram) throws {
    var explorer = Explorer(name: program.name, options: Self.weak) { simulation in
      let outcome = await program.small.body(simulation)
      if !program.strong.contains(outcome) { simulation.fail("strong", "came to \(outcome)") }
    }
    explorer.budget.schedules = 2_000
    let violation = try #require(explorer.explore().violations.first)
    let deviations = try #require(violation.shrinking).deviations.joined(separator: "\n")
    #expect(deviations.contains("answers the store before the newest one"), "\(deviations)")
    #expect(deviations.contains("no x86 machine does that") != program.isShownByX86, "\(deviations)")
  }

  @Test func `older stores are forgotten when time moves`() {
    let program = SmallProgram("later") { _ in
      let words = Words()
      async let store: Void = words.x.store(1, ordering: .relaxed)
      async let load = {
        try? await Task.sleep(for: .milliseconds(1))
        return words.x.load(ordering: .relaxed)
      }()
      await store
      return "\(await load)"
    }
    let (outcomes, report) = program.outcomes(
      Strategies.ExhaustiveDFS(), schedules: 10_000, options: Self.weak)
    #expect(outcomes == ["1"])
    #expect(report.coverage == .everySchedule)
  }

  @Test func `who has read the newest store often may still miss the next one`() {
    let program = SmallProgram("watch, then look") { _ in
      let words = Words()
      for _ in 0..<5 { _ = words.x.load(ordering: .relaxed) }
      async let store: Void = words.x.store(1, ordering: .relaxed)
      async let loads = (0..<5).map { _ in "\(words.x.load(ordering: .relaxed))" }.joined()
      await store
      return await loads
    }
    let (outcomes, _) = program.outcomes(.portfolio, schedules: 1_000, options: Self.weak)
    // An older store is answered three times at most, once there is a newer one.
    #expect(outcomes.contains("00000") && outcomes.contains("11111"))
  }

  @Test func `who asks over and over sees the newest store in the end`() {
    let program = SmallProgram("spin") { _ in
      let words = Words()
      async let store: Void = words.x.store(1, ordering: .relaxed)
      async let spin: Void = {
        while words.x.load(ordering: .relaxed) == 0 { await Task.yield() }
      }()
      _ = await (store, spin)
      return "done"
    }
    let (outcomes, report) = program.outcomes(.portfolio, schedules: 300, options: Self.weak)
    #expect(outcomes == ["done"])
    #expect(report.violations.isEmpty)
  }

  @Test func `an older store is answered three times at most by one task`() {
    let program = SmallProgram("twenty loads") { _ in
      let words = Words()
      async let store: Void = words.x.store(1, ordering: .relaxed)
      async let loads: Void = { for _ in 0..<20 where words.x.load(ordering: .relaxed) == 1 { return } }()
      _ = await (store, loads)
      return "done"
    }
    let (_, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: 5_000, options: Self.weak)
    #expect(report.coverage == .everyBehavior)
    // The store comes before one of the loads, and each of the next three may miss it. If all of them could, there would be 344.
    #expect(report.schedules < 150, "\(report)")
  }

  @Test(arguments: [false, true])
  func `a ring between two tasks needs its releasing store`(isRight: Bool) throws {
    let report = explore("ring", schedules: 2_000, options: Self.weak) { simulation in
      let ring = Ring(isRight: isRight)
      async let produced: Void = { for value in 1...2 { ring.push(value) } }()
      async let consumed = { () -> [Int] in
        var found: [Int] = []
        for _ in 0..<6 { if let value = ring.pop() { found.append(value) } }
        return found
      }()
      await produced
      let found = await consumed
      if found != Array([1, 2].prefix(found.count)) { simulation.fail("in order", "popped \(found)") }
    }
    #expect(report.violations.isEmpty == isRight, "\(report)")
  }

  @Test(arguments: [false, true])
  func `what is made once needs its flag in order`(isRight: Bool) {
    let report = explore("once", schedules: 2_000, options: Self.weak) { simulation in
      let once = OnceFlag(isRight: isRight)
      async let first = once.value()
      async let second = once.value()
      let (one, other) = await (first, second)
      if one != 42 || other != 42 { simulation.fail("made", "got \(one) and \(other)") }
    }
    #expect(report.violations.isEmpty == isRight, "\(report)")
  }
}

/// A ring for one producer and one consumer.
private final class Ring: Sendable {
  private let even = Atomic(0)
  private let odd = Atomic(0)
  private let head = Atomic(0)
  private let tail = Atomic(0)
  private let isRight: Bool

  init(isRight: Bool) { self.isRight = isRight }

  func push(_ value: Int) {
    let at = head.load(ordering: .relaxed)
    if at % 2 == 0 { even.store(value, ordering: .relaxed) } else { odd.store(value, ordering: .relaxed) }
    if isRight { head.store(at + 1, ordering: .releasing) } else { head.store(at + 1, ordering: .relaxed) }
  }

  func pop() -> Int? {
    let at = tail.load(ordering: .relaxed)
    guard at < head.load(ordering: .acquiring) else { return nil }
    let value = at % 2 == 0 ? even.load(ordering: .relaxed) : odd.load(ordering: .relaxed)
    tail.store(at + 1, ordering: .releasing)
    return value
  }
}

/// The first task makes the value, under a lock. Later ones only look at a flag.
private final class OnceFlag: Sendable {
  private let isMade = Atomic(false)
  private let made = Atomic(0)
  private let lock = Mutex(false)
  private let isRight: Bool

  init(isRight: Bool) { self.isRight = isRight }

  func value() -> Int {
    let isThere = isRight ? isMade.load(ordering: .acquiring) : isMade.load(ordering: .relaxed)
    if !isThere {
      lock.withLock { isDone in
        guard !isDone else { return }
        made.store(42, ordering: .relaxed)
        isMade.store(true, ordering: .releasing)
        isDone = true
      }
    }
    return made.load(ordering: .relaxed)
  }
}
