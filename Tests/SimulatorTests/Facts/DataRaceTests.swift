import Foundation
import Simulator
import Synchronization
import Testing

/// Two steps that are about to access the same memory at the same moment. Needs the build flag.
@Suite(.enabled(if: Simulation.followsAtomics)) struct `Data races` {
  private func report(
    _ steps: Simulation.Options.Steps = .asNeeded, schedules: Int = 200,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) -> Explorer.Report {
    var explorer = Explorer(name: "memory", options: .init(steps: steps), body: body)
    explorer.budget.schedules = schedules
    explorer.budget.violationsToFind = nil
    return explorer.explore()
  }

  @Test func `of a counter that nothing guards are told with both places, and replay`() throws {
    let body: @Sendable (Simulation) async throws -> Void = { _ in
      let counter = Tally()
      async let first: Void = counter.increment()
      async let second: Void = counter.increment()
      _ = await (first, second)
    }
    let report = report(.asNeeded, body)
    let race = try #require(report.violations.first)
    #expect(race.invariant == "data-race")
    #expect(race.message.matches(of: /increment\(\) DataRaceTests\.swift:\d+/).count == 2, "\(race.message)")
    #expect(race.message.contains("writes"))
    #expect(race.shrinking?.reproduced == 10)
    #expect((race.shrinking?.deviations.count ?? 9) <= 2, "\(race.shrinking?.deviations ?? [])")
    let token = try Schedule.Token(parsing: race.token.description)
    #expect(token == race.token)
    let again = Explorer(name: "memory", body: body).replay(token)
    #expect(again.divergence == nil)
    #expect(again.execution.violations.map(\.invariant) == ["data-race"])
  }

  /// What a program does once it has raced is not defined: here the second to come would free what the first reads.
  @Test func `end their execution before either step has accessed the memory`() throws {
    let body: @Sendable (Simulation) async throws -> Void = { _ in
      let table = Table()
      await withTaskGroup { group in
        for key in 0..<3 { group.addTask { await table.replace(with: key) } }
        for _ in 0..<3 { group.addTask { _ = await table.sum() } }
      }
    }
    let race = try #require(report(schedules: 200, body).violations.first { $0.invariant == "data-race" })
    let again = Explorer(name: "memory", body: body).replay(race.token)
    #expect(again.execution.ending == .raced)
    #expect(again.execution.violations.map(\.invariant) == ["data-race"])
  }

  private final class Flagged: @unchecked Sendable {
    // @unchecked Sendable because these tests find out if the flag guards the value.
    let isThere = Atomic(false)
    var value = 0
  }

  private func publish(_ store: AtomicStoreOrdering, _ load: AtomicLoadOrdering) -> Explorer.Report {
    report(.preemptible) { _ in
      let flagged = Flagged()
      async let writes: Void = {
        flagged.value = 1
        switch store {
        case .relaxed: flagged.isThere.store(true, ordering: .relaxed)
        default: flagged.isThere.store(true, ordering: .releasing)
        }
      }()
      async let reads = {
        let isThere =
          switch load {
          case .relaxed: flagged.isThere.load(ordering: .relaxed)
          default: flagged.isThere.load(ordering: .acquiring)
          }
        return isThere ? flagged.value : 0
      }()
      _ = await (writes, reads)
    }
  }

  @Test func `behind a relaxed flag are a warning with both places`() throws {
    for report in [publish(.relaxed, .relaxed), publish(.relaxed, .acquiring), publish(.releasing, .relaxed)]
    {
      #expect(report.violations.isEmpty)
      let warning = try #require(report.warnings.first)
      #expect(warning.contains("a data race, unless something else orders the two"))
      #expect(warning.matches(of: /publish\(_:\) DataRaceTests\.swift:\d+/).count == 2, "\(warning)")
    }
  }

  @Test func `behind a flag that releases and acquires are none`() {
    let report = publish(.releasing, .acquiring)
    #expect(report.violations.isEmpty && report.warnings.isEmpty, "\(report)")
  }

  @Test func `behind a relaxed flag with fences are none`() {
    let report = report(.preemptible) { _ in
      let flagged = Flagged()
      async let writes: Void = {
        flagged.value = 1
        atomicMemoryFence(ordering: .releasing)
        flagged.isThere.store(true, ordering: .relaxed)
      }()
      async let reads = {
        guard flagged.isThere.load(ordering: .relaxed) else { return 0 }
        atomicMemoryFence(ordering: .acquiring)
        return flagged.value
      }()
      _ = await (writes, reads)
    }
    #expect(report.violations.isEmpty && report.warnings.isEmpty, "\(report)")
  }

  @Test func `of a dictionary, whose own code tells nothing, are told`() throws {
    let report = report { _ in
      let table = Table()
      async let first: Void = table.set(1)
      async let second: Void = table.set(2)
      _ = await (first, second)
    }
    #expect(report.violations.first?.invariant == "data-race")
  }

  @Test func `of a global variable and of a captured one are told`() throws {
    #expect(
      report { _ in
        async let first: Void = { unsafe shared += 1 }()
        async let second: Int = { unsafe shared }()
        _ = await (first, second)
      }.violations.first?.invariant == "data-race")
    #expect(
      report { _ in
        nonisolated(unsafe) var captured = 0
        let task = Task { unsafe captured += 1 }
        unsafe captured += 1
        await task.value
      }.violations.first?.invariant == "data-race")
  }

  @Test func `are told where one side has a lock in hand`() {
    let report = report { _ in
      let box = HalfGuarded()
      async let first: Void = box.add()
      async let second: Int = box.peek()
      _ = await (first, second)
    }
    #expect(report.violations.first?.invariant == "data-race")
  }

  @Test func `of two that a lock or a semaphore lets in at once are found`() {
    #expect(
      report { _ in
        let (counter, lock) = (Tally(), ReadWriteLock())
        async let first: Void = lock.reading { counter.add() }
        async let second: Void = lock.reading { counter.add() }
        _ = await (first, second)
      }.violations.first?.invariant == "data-race")
    #expect(
      report { _ in
        let (counter, semaphore) = (Tally(), DispatchSemaphore(value: 2))
        async let first: Void = counter.add(between: semaphore)
        async let second: Void = counter.add(between: semaphore)
        _ = await (first, second)
      }.violations.first?.invariant == "data-race")
  }

  // MARK: what is ordered

  @Test(arguments: Guarding.allCases) func `are not told of what is guarded or handed over`(
    _ guarding: Guarding
  ) {
    for steps in [Simulation.Options.Steps.asNeeded, .preemptible] {
      let report = report(steps, schedules: 300) { _ in await guarding.run() }
      #expect(report.violations.isEmpty, "\(report.violations.map(\.message))")
    }
  }

  enum Guarding: String, CaseIterable, Sendable {
    case mutex, lock, queue, semaphore, readWriteLock
    case atomicFlag, isolation, mainActor, taskValue, group, continuation, stream,
      memory, once,
      cancellation, copies, frames, defaults, notification

    func run() async {
      switch self {
      case .mutex:
        let tally = MutexTally()
        async let first: Void = tally.add()
        async let second: Void = tally.add()
        _ = await (first, second)
      case .lock:
        let counter = Tally()
        let lock = NSLock()
        async let first: Void = lock.withLock { counter.add() }
        async let second: Void = lock.withLock { counter.add() }
        _ = await (first, second)
      case .queue:
        let tally = Tally()
        let queue = DispatchQueue(label: "tally")
        async let first: Void = queue.sync { tally.add() }
        async let second: Void = queue.sync { tally.add() }
        _ = await (first, second)
      case .semaphore:
        let tally = Tally()
        let semaphore = DispatchSemaphore(value: 1)
        async let first: Void = tally.add(between: semaphore)
        async let second: Void = tally.add(between: semaphore)
        _ = await (first, second)
      case .readWriteLock: await ReadWrite.run()
      case .atomicFlag:
        let box = Published()
        async let first: Void = box.publish()
        async let second: Int? = box.consume()
        _ = await (first, second)
      case .isolation:
        let owner = Owner()
        async let first: Void = owner.add()
        async let second: Void = owner.add()
        _ = await (first, second)
      case .mainActor:
        async let first: Void = { @MainActor in onMain += 1 }()
        async let second: Void = { @MainActor in onMain += 1 }()
        _ = await (first, second)
      case .taskValue:
        let counter = Tally()
        let task = Task { counter.add() }
        await Task.yield()
        await task.value
        counter.add()
        let other = Task { counter.add() }
        await other.value
      case .group:
        let counter = Tally()
        for _ in 0..<2 {
          await withTaskGroup { group in
            group.addTask { counter.add() }
            await group.waitForAll()
          }
          counter.add()
        }
      case .continuation:
        let counter = Tally()
        await withCheckedContinuation { continuation in
          Task {
            counter.add()
            continuation.resume()
          }
        }
        counter.add()
      case .stream:
        let counter = Tally()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
          counter.add()
          continuation.yield(1)
          continuation.finish()
        }
        for await _ in stream { counter.add() }
        await task.value
      case .defaults:
        let counter = Tally()
        async let writes: Void = {
          counter.add()
          UserDefaults.standard.set(true, forKey: "counted")
        }()
        async let reads: Void = { if UserDefaults.standard.bool(forKey: "counted") { counter.add() } }()
        _ = await (writes, reads)
        UserDefaults.standard.removeObject(forKey: "counted")
      case .notification:
        let counter = Tally()
        let (center, name) = (NotificationCenter(), Notification.Name("count"))
        async let observes: Void = {
          counter.add()
          _ = center.addObserver(forName: name, object: nil, queue: nil) { _ in counter.add() }
        }()
        async let posts: Void = center.post(name: name, object: nil)
        _ = await (observes, posts)
      case .memory:
        await withTaskGroup { group in
          for _ in 0..<6 {
            group.addTask {
              for _ in 0..<3 {
                let counter = Tally()
                counter.add()
                var array = [1, 2, 3]
                array[1] = counter.value
                _ = array
              }
            }
          }
        }
      case .once:
        async let first = Lazy.value.count
        async let second = Lazy.value.count
        _ = await (first, second)
      case .cancellation:
        let counter = Tally()
        let task = Task {
          await withTaskCancellationHandler {
            try? await Task.sleep(for: .seconds(1))
          } onCancel: {
          }
          counter.add()
        }
        task.cancel()
        await task.value
        counter.add()
      case .copies:
        let numbers = [1, 2, 3]
        async let first = changed(numbers)
        async let second = changed(numbers)
        _ = await (first, second)
      case .frames:
        async let first = sums(3)
        async let second = sums(4)
        _ = await (first, second)
      }
    }

    private func changed(_ numbers: [Int]) async -> Int {
      var own = numbers
      own[0] += 1
      await Task.yield()
      own[1] += own[0]
      return own.reduce(0, +)
    }

    private func sums(_ depth: Int) async -> Int {
      guard depth > 0 else { return 0 }
      async let one = sums(depth - 1)
      var total = depth
      total += await one
      await Task.yield()
      return total
    }
  }
}

nonisolated(unsafe) private var shared = 0
@MainActor private var onMain = 0

private final class Tally: @unchecked Sendable {
  var value = 0
  func increment() async { value += 1 }
  func add() { value += 1 }
  func add(between semaphore: DispatchSemaphore) {
    semaphore.wait()
    value += 1
    semaphore.signal()
  }
}

private final class Table: @unchecked Sendable {
  private var numbers: [Int: Int] = [:]
  func set(_ key: Int) async { numbers[key] = key }
  func replace(with key: Int) async { numbers = [key: key] }
  func sum() async -> Int { numbers.values.reduce(0, +) }
}

private final class HalfGuarded: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0
  func add() async { lock.withLock { value += 1 } }
  func peek() async -> Int { value }
}

private final class Published: @unchecked Sendable {
  private let isReady = Atomic(false)
  private var value = 0
  func publish() async {
    value = 7
    isReady.store(true, ordering: .releasing)
  }
  func consume() async -> Int? { isReady.load(ordering: .acquiring) ? value : nil }
}

private actor Owner {
  private var value = 0
  func add() { value += 1 }
}

private enum Lazy {
  static let value = [1, 2, 3].map { $0 * 2 }
}

private enum ReadWrite {
  static func run() async {
    let counter = Tally()
    let lock = ReadWriteLock()
    async let first: Void = lock.writing { counter.add() }
    async let second: Int = lock.reading { counter.value }
    async let third: Int = lock.reading { counter.value }
    _ = await (first, second, third)
  }
}

private final class MutexTally: Sendable {
  private let number = Mutex(0)
  func add() async { number.withLock { $0 += 1 } }
}
