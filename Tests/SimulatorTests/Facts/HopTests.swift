import Simulator
import Synchronization
import Testing

/// What is a scheduling point, and what is not.
@Suite struct `Hops` {
  @Test func `jobs on the pool run in every order, and in the order made when nature decides`() {
    let program: @Sendable (Simulation) async -> [Int] = { _ in
      let log = Log<Int>()
      let tasks = (1...3).map { number in Task { log.append(number) } }
      for task in tasks { await task.value }
      return log.all
    }
    #expect(outcomes(program) == Set(permutations([1, 2, 3])))
    #expect(outcomes(schedules: 1, program) == [[1, 2, 3]])
  }

  @Test func `a hop to an actor is a scheduling point`() {
    let seen = outcomes { _ in
      let counter = Counter()
      async let first: Void = counter.set(counter.value + 1)
      async let second: Void = counter.set(counter.value + 1)
      _ = await (first, second)
      return await counter.value
    }
    #expect(seen == [1, 2])
  }

  @Test func `a call within one actor is none`() {
    let seen = outcomes(schedules: 2_000) { _ in
      let counter = Counter()
      async let first: Void = counter.incrementThroughSelf()
      async let second: Void = counter.incrementThroughSelf()
      _ = await (first, second)
      return await counter.value
    }
    #expect(seen == [2])
  }

  @MainActor final class Model {
    var value = 0
    nonisolated init() {}
    func incrementThroughSelf() async {
      let before = value
      await pause()
      value = before + 1
    }
    private func pause() async {}
  }

  @Test func `a hop to the main actor is a scheduling point, a call within it none`() {
    let hops = outcomes { _ in
      let model = Model()
      async let first: Void = { @Sendable in
        let value = await model.value
        await MainActor.run { model.value = value + 1 }
      }()
      async let second: Void = { @Sendable in
        let value = await model.value
        await MainActor.run { model.value = value + 1 }
      }()
      _ = await (first, second)
      return await model.value
    }
    #expect(hops == [1, 2])
    let calls = outcomes(schedules: 2_000) { _ in
      let model = Model()
      async let first: Void = model.incrementThroughSelf()
      async let second: Void = model.incrementThroughSelf()
      _ = await (first, second)
      return await model.value
    }
    #expect(calls == [2])
  }

  nonisolated(nonsending) private static func passThrough() async {}

  actor Careful {
    var value = 0
    func increment() async {
      let before = value
      await Hops.passThrough()
      value = before + 1
    }
  }

  @Test func `a nonisolated callee that stays with its caller is no scheduling point`() {
    let seen = outcomes(schedules: 2_000) { _ in
      let careful = Careful()
      async let first: Void = careful.increment()
      async let second: Void = careful.increment()
      _ = await (first, second)
      return await careful.value
    }
    #expect(seen == [2])
  }

  @Test func `Task.yield is a scheduling point, on the pool, on the main actor and on an actor`() {
    let pool = outcomes { _ in
      let log = Log<Int>()
      async let first: Void = { @Sendable in
        log.append(1); await Task.yield(); log.append(2)
      }()
      async let second: Void = { @Sendable in
        log.append(3); await Task.yield(); log.append(4)
      }()
      _ = await (first, second)
      return log.all
    }
    #expect(pool.count == 6)
    let main = outcomes { _ in
      let log = Log<Int>()
      async let first: Void = { @MainActor @Sendable in
        log.append(1); await Task.yield(); log.append(2)
      }()
      async let second: Void = { @MainActor @Sendable in
        log.append(3); await Task.yield(); log.append(4)
      }()
      _ = await (first, second)
      return log.all
    }
    #expect(main.count == 6)
  }

  @Test func `isolation is answered truthfully inside a step and with yes between steps`() {
    let execution = simulate { simulation in
      let counter = Counter()
      simulation.always("readable") { counter.assumeIsolated { $0.value } >= 0 }
      await MainActor.run {
        MainActor.preconditionIsolated()
        MainActor.assumeIsolated {}
      }
      await counter.increment()
    }
    #expect(execution.violations.isEmpty)
  }
}
