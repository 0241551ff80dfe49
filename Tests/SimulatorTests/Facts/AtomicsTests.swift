import Foundation
import Glibc
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// What is seen of atomics and of a `Mutex`. With the build flag these run in a build of their own.
@Suite struct `Atomics and mutexes` {
  private static let isSanitized = unsafe dlsym(nil, "__sanitizer_print_stack_trace") != nil
  private static let overlapping = Simulation.Options(steps: .preemptible)

  private func outcomes(_ program: SmallProgram) -> (Set<String>, Explorer.Report) {
    program.outcomes(Strategies.ExhaustiveDFS(), schedules: 50_000, options: Self.overlapping)
  }

  @Test(.enabled(if: Simulation.followsAtomics))
  func `lose an update between a load and a store`() {
    let (found, report) = outcomes(.loadAndStore)
    #expect(found == ["1", "2"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test func `never lose an update that is one operation`() {
    let program = SmallProgram("add") { _ in
      let counter = AtomicCounter()
      async let first: Void = counter.add()
      async let second: Void = counter.add()
      _ = await (first, second)
      return "\(counter.number.load(ordering: .relaxed))"
    }
    let (found, report) = outcomes(program)
    #expect(found == ["2"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test(.enabled(if: Simulation.followsAtomics), arguments: [false, true])
  func `let others run between an atomic and the lock that follows`(byName: Bool) {
    let program = SmallProgram("count, then note") { _ in
      let counter = CountedLog(byName: byName)
      async let first: Void = counter.countThenNote()
      async let second: Void = counter.countThenNote()
      _ = await (first, second)
      return counter.text
    }
    let (found, _) = program.outcomes(Strategies.RandomWalk(), schedules: 500, options: Self.overlapping)
    #expect(found == ["01", "10"])
  }

  /// What compiled code looks up it keeps in variables that all tasks use, and these are no atomics of the program's.
  @Test func `are none where tasks share only what compiled code keeps`() {
    let report = explore("own lists", schedules: 1_000, strategy: .exhaustive) { _ in
      async let first = count([1, 2])
      async let second = count([1, 2])
      _ = await (first, second)
    }
    #expect(!report.hasPreemptibleSteps)
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  #if DEBUG
    @Test(.enabled(if: !isSanitized)) func `are points in a debug build, with the flag and without`() {
      #expect(Simulation.followsMutexes)
    }
  #endif

  @Test(.enabled(if: Simulation.followsMutexes))
  func `open a mutex for others before the step goes on`() {
    let (found, report) = outcomes(.checkThenAct)
    #expect(found == ["1", "2"])
    #expect(report.coverage == .everySchedule, "\(report.incompleteCoverageText ?? "")")
  }

  @Test(.enabled(if: Simulation.followsMutexes))
  func `that are taken in either order are the deadlock that they are`() throws {
    var explorer = Explorer(name: "inverted order", options: Self.overlapping) { _ in
      let pair = MutexPair()
      async let first: Void = pair.oneThenTwo()
      async let second: Void = pair.twoThenOne()
      _ = await (first, second)
    }
    explorer.strategy = Strategies.ExhaustiveDFS()
    let violation = try #require(explorer.explore().violations.first)
    #expect(violation.invariant == "deadlock")
    for (waiter, holder) in [(1, 2), (2, 1)] {
      #expect(violation.message.contains("\(waiter) waits for a lock that \(holder) holds"))
    }
  }

  @Test(.enabled(if: Simulation.followsAtomics))
  func `are left where they spin on an atomic`() {
    var explorer = Explorer(name: "spin", options: Self.overlapping) { _ in
      let flag = AtomicCounter()
      async let waits: Void = {
        while flag.number.load(ordering: .acquiring) == 0 {}
      }()
      async let sets: Void = flag.add()
      _ = await (waits, sets)
    }
    explorer.budget.schedules = 100
    let report = explorer.explore()
    #expect(report.holds)
  }

  /// The two wait for each other in one execution; in the next the same mutexes are free.
  @Test(.enabled(if: Simulation.followsMutexes))
  func `are open again in the next execution where steps were left that held them`() {
    let pair = MutexPair()
    var explorer = Explorer(name: "lasting mutexes", options: Self.overlapping) { _ in
      async let first: Void = pair.oneThenTwo()
      async let second: Void = pair.twoThenOne()
      _ = await (first, second)
    }
    explorer.budget.schedules = 200
    explorer.budget.violationsToFind = nil
    explorer.strategy = Strategies.RandomWalk()
    let report = explorer.explore()
    #expect(report.schedules == 200)
    #expect(report.failures > 5 && report.failures < 200)
  }
}

/// With the flag a reduced search knows of each which steps use it.
@Suite struct `A reduced search over atomics and mutexes` {
  @Test(.enabled(if: Simulation.followsAtomics), arguments: SmallProgram.withAtomics)
  func `shows what all schedules show, in fewer`(_ program: SmallProgram) {
    let (all, every) = program.allOutcomes(Strategies.ExhaustiveDFS(), schedules: 50_000)
    let (some, reduced) = program.allOutcomes(Strategies.ExhaustiveReduced(), schedules: 50_000)
    #expect(every.coverage == .everySchedule, "\(every.incompleteCoverageText ?? "")")
    #expect(reduced.coverage == .everyBehavior, "\(reduced.incompleteCoverageText ?? "")")
    #expect(some == all)
    #expect(Set(reduced.violations.map(\.invariant)) == Set(every.violations.map(\.invariant)))
    #expect(reduced.coveredSchedules * 2 < every.coveredSchedules)
  }
}

extension SmallProgram {
  fileprivate static let loadAndStore = SmallProgram("load and store") { _ in
    let counter = AtomicCounter()
    async let first: Void = counter.loadAndStore()
    async let second: Void = counter.loadAndStore()
    _ = await (first, second)
    return "\(counter.number.load(ordering: .relaxed))"
  }

  fileprivate static let checkThenAct = SmallProgram("check, then act") { _ in
    let counter = MutexCounter()
    async let first: Void = counter.checkThenAct()
    async let second: Void = counter.checkThenAct()
    _ = await (first, second)
    return "\(counter.value)"
  }

  fileprivate static let invertedOrder = SmallProgram("inverted order") { _ in
    let pair = MutexPair()
    async let first: Void = pair.oneThenTwo()
    async let second: Void = pair.twoThenOne()
    _ = await (first, second)
    return "both"
  }

  fileprivate static let withAtomics = [loadAndStore, checkThenAct, invertedOrder]
}

private final class AtomicCounter: Sendable {
  let number = Atomic(0)
  func loadAndStore() async {
    let before = number.load(ordering: .sequentiallyConsistent)
    number.store(before + 1, ordering: .sequentiallyConsistent)
  }
  func add() async { number.add(1, ordering: .sequentiallyConsistent) }
}

@concurrent private func count(_ numbers: [Int]) async -> Int {
  let named = numbers.map { ("\($0)", [$0]) }
  return Dictionary(named) { $0 + $1 }.count
}

private final class CountedLog: @unchecked Sendable {
  // @unchecked Sendable because `named` is reached under the lock only.
  private let number = Atomic(0)
  private let lock = NSLock()
  private var named = ""
  private let held = Mutex("")
  private let byName: Bool

  init(byName: Bool) { self.byName = byName }

  func countThenNote() async {
    let place = number.add(1, ordering: .sequentiallyConsistent).oldValue
    if byName {
      lock.withLock { named += "\(place)" }
    } else {
      held.withLock { $0 += "\(place)" }
    }
  }

  var text: String { byName ? lock.withLock { named } : held.withLock { $0 } }
}

private final class MutexCounter: Sendable {
  private let number = Mutex(0)
  func checkThenAct() async {
    let before = number.withLock { $0 }
    number.withLock { $0 = before + 1 }
  }
  var value: Int { number.withLock { $0 } }
}

private final class MutexPair: Sendable {
  private let one = Mutex(0)
  private let two = Mutex(0)
  func oneThenTwo() async { one.withLock { $0 += two.withLock { $0 } } }
  func twoThenOne() async { two.withLock { $0 += one.withLock { $0 } } }
}
