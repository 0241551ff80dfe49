import Simulator
import Synchronization
import Testing

/// The order that mailboxes keep, and the orders that may differ.
@Suite struct `Order` {
  @Test func `isolated tasks start on the main actor in the order made`() {
    let seen = outcomes { _ in
      let log = Log<Int>()
      let tasks = (1...4).map { number in Task { @MainActor in log.append(number) } }
      for task in tasks { await task.value }
      return log.all
    }
    #expect(seen == [[1, 2, 3, 4]])
  }

  actor Starter {
    let log = Log<Int>()
    func start() -> [Task<Void, Never>] {
      (1...4).map { number in
        Task {
          touch()
          log.append(number)
        }
      }
    }
    func touch() {}
  }

  @Test func `isolated tasks start on an actor in the order made`() {
    let seen = outcomes { _ in
      let starter = Starter()
      for task in await starter.start() { await task.value }
      return starter.log.all
    }
    #expect(seen == [[1, 2, 3, 4]])
  }

  @MainActor final class Waiters {
    var continuations: [CheckedContinuation<Void, Never>] = []
    var log: [Int] = []
    nonisolated init() {}
    func wait(_ number: Int) async {
      await withCheckedContinuation { continuations.append($0) }
      log.append(number)
    }
    func resumeAll() {
      for continuation in continuations { continuation.resume() }
    }
  }

  @Test func `resuming two waiters does not fix which goes on first`() {
    let seen = outcomes { _ in
      await Waiters().twoWaiters()
    }
    #expect(seen == [[1, 2], [2, 1]])
  }

  actor Gateway {
    private var passed: [Int] = []
    func pass(_ number: Int, to recorder: Recorder) async {
      passed.append(number)
      await recorder.append(number)
    }
    func pass(_ number: Int, to model: Waiters) async {
      passed.append(number)
      await model.note(number)
    }
    var order: [Int] { passed }
  }

  @Test func `hops out of one actor to another arrive in the order in which they left`() {
    let seen = outcomes { _ in
      let gateway = Gateway()
      let recorder = Recorder()
      await withTaskGroup { group in
        for number in 1...3 { group.addTask { await gateway.pass(number, to: recorder) } }
      }
      return await [gateway.order, recorder.all]
    }
    #expect(seen == Set(permutations([1, 2, 3]).map { [$0, $0] }))
  }

  @Test func `hops out of one actor to the main actor arrive in the order in which they left`() {
    let seen = outcomes { _ in
      let gateway = Gateway()
      let model = Waiters()
      await withTaskGroup { group in
        for number in 1...3 { group.addTask { await gateway.pass(number, to: model) } }
      }
      return await [gateway.order, model.log]
    }
    #expect(seen == Set(permutations([1, 2, 3]).map { [$0, $0] }))
  }

  @Test func `two saves begun on the main actor reach the store in that order`() {
    let seen = outcomes(schedules: 1_000) { _ in
      let store = Recorder()
      let tasks = await MainActor.run {
        (1...3).map { number in Task { @MainActor in await store.append(number) } }
      }
      for task in tasks { await task.value }
      return await store.all
    }
    #expect(seen == [[1, 2, 3]])
  }

  @Test func `a hop out of an actor may be overtaken by a hop from elsewhere`() {
    let seen = outcomes { _ in
      let gateway = Gateway()
      let recorder = Recorder()
      async let through: Void = gateway.pass(1, to: recorder)
      async let straight: Void = recorder.append(2)
      _ = await (through, straight)
      return await recorder.all
    }
    #expect(seen == [[1, 2], [2, 1]])
  }

  @Test func `hops from the pool arrive in any order`() {
    let seen = outcomes { _ in
      let recorder = Recorder()
      let tasks = (1...3).map { number in Task { await recorder.append(number) } }
      for task in tasks { await task.value }
      return await recorder.all
    }
    #expect(seen == Set(permutations([1, 2, 3])))
  }

  @Test func `an isolated task may be overtaken by a hop that was under way, and waits for no later one`() {
    let seen = outcomes { _ in
      let log = Log<Int>()
      let hopper = Task { await MainActor.run { log.append(1) } }
      await Task.yield()
      let isolated = Task { @MainActor in log.append(2) }
      let late = Task { @MainActor in log.append(3) }
      await hopper.value
      await isolated.value
      await late.value
      return log.all
    }
    #expect(seen == [[1, 2, 3], [2, 1, 3], [2, 3, 1]])
  }

  actor Ranking {
    let log = Log<Int>()
    func start(_ priorities: [TaskPriority]) -> [Task<Void, Never>] {
      priorities.indices.map { index in
        Task(priority: priorities[index]) {
          touch()
          log.append(index)
        }
      }
    }
    func touch() {}
  }

  @Test func `an actor takes the highest priority first of what it has itself put there`() {
    let seen = outcomes { _ in
      let ranking = Ranking()
      for task in await ranking.start([.low, .high, .low, .medium]) { await task.value }
      return ranking.log.all
    }
    #expect(seen == [[1, 3, 0, 2]])
  }

  @Test func `a lower priority may go first when the actor was free before the higher one came`() {
    let seen = outcomes { _ in
      let ranking = Ranking()
      async let low = ranking.start([.low])
      async let high = ranking.start([.high, .high])
      for task in await low + high { await task.value }
      return ranking.log.all.map { $0 }
    }
    #expect(seen.contains([0, 0, 1]))
  }

  @Test func `the main actor knows no priorities`() {
    let seen = outcomes { _ in
      let log = Log<Int>()
      let tasks = [
        Task(priority: .low) { @MainActor in log.append(1) },
        Task(priority: .high) { @MainActor in log.append(2) },
      ]
      for task in tasks { await task.value }
      return log.all
    }
    #expect(seen == [[1, 2]])
  }
}

extension `Order`.Waiters {
  func note(_ number: Int) { log.append(number) }

  /// Two waiters, resumed in one step, in the order 1, 2 or 2, 1 in which they came; what they do then.
  func twoWaiters() async -> [Int] {
    let first = Task { await wait(1) }
    let second = Task { await wait(2) }
    while continuations.count < 2 { await Task.yield() }
    resumeAll()
    await first.value
    await second.value
    return log
  }
}
