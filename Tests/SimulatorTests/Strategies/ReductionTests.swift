import Simulator
import SimulatorStrategies
import Testing

@Suite struct `Partial order reduction` {
  /// Tasks that each lose updates to each other; the root makes them in one step and asks for nothing.
  private func lostUpdate(tasks: Int) -> Explorer.Report {
    explore(schedules: 10_000, strategy: Strategies.ExhaustiveReduced()) { _ in
      let cell = Cell()
      for _ in 0..<tasks { Task { await increment(cell) } }
    }
  }

  @Test func `a lost update of two tasks has six behaviors`() {
    let report = lostUpdate(tasks: 2)
    #expect(report.coverage == .everyBehavior)
    #expect(report.coveredSchedules == 6)
    #expect(report.behaviors == 6)
  }

  @Test func `a lost update of three tasks has ninety`() {
    let report = lostUpdate(tasks: 3)
    #expect(report.coverage == .everyBehavior)
    #expect(report.coveredSchedules == 90)
    #expect(report.behaviors == 90)
  }

  @Test func `a discarding group takes no note of who is done first`() {
    let report = explore(schedules: 10_000, strategy: Strategies.ExhaustiveReduced()) { _ in
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask { await increment(cell) } }
      }
    }
    #expect(report.coverage == .everyBehavior)
    #expect(report.coveredSchedules == 90)
  }

  @Test func `an execution without end is given up, and nothing claimed`() {
    let report = explore(schedules: 3, strategy: Strategies.ExhaustiveReduced()) { _ in
      let cell = Cell()
      for _ in 0..<3_000 { await increment(cell) }
    }
    #expect(report.coverage != .everyBehavior)
  }

  @Test func `conditions between steps are judged in every order that they can tell apart`() {
    let report = explore(schedules: 10_000, strategy: Strategies.ExhaustiveReduced()) { simulation in
      let (x, y) = (Cell(), Cell())
      simulation.always("y is never ahead of x") {
        y.assumeIsolated { $0.value } <= x.assumeIsolated { $0.value }
      }
      async let a: Void = x.set(1)
      async let b: Void = y.set(1)
      _ = await (a, b)
    }
    #expect(report.violations.count == 1)
  }

  /// Not among the small programs, because where a task may be cancelled anywhere each of its points is swept as well.
  @Test func `a cancel between steps races with who asks for it`() {
    let program = SmallProgram("a task that may be cancelled anywhere, and who asks") { simulation in
      let task = Task {
        await Task.yield()
        return Task.isCancelled
      }
      simulation.cancelAnywhere(task)
      let asker = Task { task.isCancelled }
      return "\(await task.value) \(await asker.value)"
    }
    let (all, whole) = program.outcomes(Strategies.ExhaustiveDFS(), schedules: 100)
    let (reduced, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: 100)
    #expect(whole.coverage == .everySchedule && report.coverage == .everyBehavior)
    #expect(all == ["false false", "true false", "true true"])
    #expect(reduced == all)
  }

  @Test func `judges see every order of the calls that they can tell apart`() {
    let report = explore(schedules: 10_000, strategy: Strategies.ExhaustiveReduced()) { simulation in
      simulation.require(Invariant("the first first", "the second store is not read first") { FirstFirst() })
      let (first, second) = (FakeStore(named: "first"), FakeStore(named: "second"))
      async let a = first.read("key", as: Int.self)
      async let b = second.read("key", as: Int.self)
      _ = try? await (a, b)
    }
    #expect(report.violations.count == 1)
  }

  @Test func `twenty programs and more are held to the exact number`() {
    #expect(SmallProgram.all.count { $0.isExact } >= 20)
  }

  /// Sleepers within a range that have nothing in common; `then` is what each does when it is awake.
  private func sleepers(_ count: Int, then: @escaping @Sendable (Cell) async -> Void = { _ in })
    -> Explorer.Report
  {
    explore(schedules: 20_000, strategy: Strategies.ExhaustiveReduced()) { _ in
      for index in 1...count {
        Task {
          let cell = Cell()
          try? await Simulation.sleep(in: .seconds(index)...(.seconds(10 + index)))
          await then(cell)
        }
      }
    }
  }

  @Test(arguments: [1, 2, 4, 8, 16])
  func `independent sleepers within ranges have one behavior, in one schedule`(_ count: Int) {
    for report in [sleepers(count), sleepers(count) { await $0.set(1) }] {
      #expect(report.coverage == .everyBehavior)
      #expect(report.coveredSchedules == 1)
    }
  }

  @Test func `what a clock shows at the end of a range makes a difference`() {
    let report = explore(schedules: 100, strategy: Strategies.ExhaustiveReduced()) { simulation in
      try await Simulation.sleep(in: .seconds(1)...(.seconds(3)))
      if simulation.now > .start.advanced(by: .seconds(2)) { simulation.fail("quick", "\(simulation.now)") }
    }
    #expect(report.violations.count == 1)
  }

  /// Sleeps that end somewhere in a range, and a cancel in the middle of it.
  @Test(arguments: [1, 2])
  func `a cancel that ends a sleep early races with the end of its range`(_ count: Int) {
    let program = SmallProgram("sleeps that are canceled") { _ in
      let jobs = (0..<count).map { _ in
        Task.detached {
          do {
            try await Task.sleep(for: .milliseconds(1), tolerance: .milliseconds(39))
          } catch {
            return "w"
          }
          return Task.isCancelled ? "L" : "s"
        }
      }
      try? await Task.sleep(for: .milliseconds(20))
      for job in jobs { job.cancel() }
      var ends = ""
      for job in jobs { ends += await job.value }
      return ends
    }
    let (all, whole) = program.outcomes(Strategies.ExhaustiveDFS(), schedules: 10_000)
    let (reduced, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: 10_000)
    #expect(whole.coverage == .everySchedule && report.coverage == .everyBehavior)
    #expect(all.count == (count == 1 ? 3 : 9))
    #expect(reduced == all)
  }

  /// Brute force is given up after so many schedules; what it has come to by then must still be come to.
  @Test(arguments: SmallProgram.all)
  func `comes to the same as brute force, in every behavior`(_ program: SmallProgram) {
    let (all, whole) = program.outcomes(Following(Strategies.ExhaustiveDFS()), schedules: 100_000)
    let (reduced, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: 100_000)
    #expect(report.coverage == .everyBehavior || report.choseDurationEagerly)
    #expect(all.isSubset(of: reduced))
    guard whole.coverage == .everySchedule || whole.choseDurationEagerly else { return }
    #expect(reduced == all)
    #expect(report.behaviors == whole.behaviors)
    if program.isExact { #expect(report.coveredSchedules == whole.behaviors) }
  }
}

/// That the store `first` is called before any other.
private struct FirstFirst: Invariant.Monitor {
  private var hasBegun = false
  var judged: Bool { true }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .began(let call) = event.kind, !hasBegun else { return nil }
    hasBegun = true
    return call.fake == "first" ? nil : "\(call.fake) came first"
  }
}
