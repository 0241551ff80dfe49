import Simulator
import Testing

/// A cancel may be delivered at every suspension point of a task in turn.
@Suite struct `Cancelling anywhere` {
  private actor Disk {
    private(set) var stops: [Int] = []
    func write(_ stop: Int) { stops.append(stop) }
  }

  @Test func `a sleeper has three points: before it begins, asleep, and woken but not yet running`() {
    let seen = Log<Bool>()
    let report = exhaust(schedules: 4) { simulation in
      let task = Task { () -> Bool in
        try? await Task.sleep(for: .seconds(1))
        return Task.isCancelled
      }
      simulation.cancelAnywhere(task)
      seen.append(await task.value)
    }
    #expect(report.cancellations?.points == 3)
    #expect(report.cancellations?.covered == 3)
    #expect(report.description.contains("cancelled at each of 3 suspension points"))
    #expect(seen.all.filter { $0 }.count == 3)
  }

  @Test func `by nature no cancel comes`() {
    let execution = simulate { simulation in
      let task = Task { await Task.yield() }
      simulation.cancelAnywhere(task)
      await task.value
      if task.isCancelled { simulation.fail("not cancelled", "it was") }
    }
    #expect(execution.violations.isEmpty)
    #expect(execution.choices.filter { $0.kind == .cancel }.count == 2)
  }

  @Test func `a cancel between two writes leaves half of them`() throws {
    let report = explore { simulation in
      let disk = Disk()
      let save = Task {
        for stop in 1...2 {
          try Task.checkCancellation()
          await disk.write(stop)
        }
      }
      simulation.cancelAnywhere(save, "save")
      _ = await save.result
      let stops = await disk.stops
      if stops.count == 1 { simulation.fail("all or nothing", "only \(stops)") }
    }
    let violation = try #require(report.violations.first)
    let deviations = try #require(violation.shrinking?.deviations)
    #expect(deviations.count == 1)
    #expect(deviations[0].hasSuffix("the task is cancelled"))
    #expect(violation.description.contains("✕ cancel save"))
  }

  /// Hands an item to the consumer that waits; a consumer that is cancelled after that and before it runs loses it.
  private actor Handover {
    private var waiting: CheckedContinuation<Int, Never>?
    private(set) var taken: [Int] = []

    func next() async throws -> Int {
      let item = await withCheckedContinuation { waiting = $0 }
      try Task.checkCancellation()
      taken.append(item)
      return item
    }
    func give(_ item: Int) { waiting?.resume(returning: item) }
  }

  @Test func `the moment between being resumed and running again is a point of its own`() throws {
    let report = explore { simulation in
      let handover = Handover()
      let consumer = Task { try await handover.next() }
      simulation.cancelAnywhere(consumer, "consumer")
      try await Task.sleep(for: .seconds(1))
      let wasCancelled = consumer.isCancelled
      await handover.give(1)
      _ = await consumer.result
      let taken = await handover.taken
      if !wasCancelled, taken != [1] { simulation.fail("no item is lost", "given to nobody") }
    }
    let violation = try #require(report.violations.first)
    #expect(violation.token.schedule.deviations.count == 1)
  }

  @Test func `the points of tasks that a task has made are its own`() {
    let report = exhaust(schedules: 20) { simulation in
      let outer = Task {
        async let child: Void? = try? Task.sleep(for: .seconds(1))
        _ = await child
      }
      simulation.cancelAnywhere(outer)
      await outer.value
    }
    #expect((report.cancellations?.points ?? 0) >= 4)
    #expect(report.cancellations?.points == report.cancellations?.covered)
  }

  @Test func `a report without such a task says nothing about points`() {
    #expect(exhaust(schedules: 1) { _ in }.cancellations == nil)
  }
}
