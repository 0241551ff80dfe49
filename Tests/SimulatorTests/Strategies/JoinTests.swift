import Simulator
import SimulatorStrategies
import Testing

@Suite struct `Joining is not a race` {
  private func reduced(_ body: @escaping @Sendable (Simulation) async -> Void) -> Explorer.Report {
    explore(schedules: 1_000, strategy: .reduced, body)
  }

  /// How many outcomes the reduced search comes to, and brute force.
  private func outcomes(_ body: @escaping @Sendable (Simulation) async -> String) -> (
    Set<String>, Set<String>
  ) {
    let program = SmallProgram("joins", body)
    let (all, whole) = program.outcomes(Following(Strategies.ExhaustiveDFS()), schedules: 20_000)
    let (found, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: 20_000)
    #expect(whole.coverage == .everySchedule && report.coverage == .everyBehavior)
    #expect(report.behaviors == whole.behaviors)
    return (found, all)
  }

  @Test func `six independent tasks awaited in a row have one behavior, in one schedule`() {
    let report = reduced { _ in
      let tasks = (0..<6).map { _ in Task { await Cell().set(1) } }
      for task in tasks { await task.value }
    }
    #expect(report.coverage == .everyBehavior)
    #expect(report.coveredSchedules == 1)
    #expect(report.behaviors == 1)
  }

  @Test func `six children of a group that waits for all have one behavior, in one schedule`() {
    for waits in [true, false] {
      let report = reduced { _ in
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<6 { group.addTask { await Cell().set(1) } }
          if waits { await group.waitForAll() }
        }
      }
      #expect(report.coverage == .everyBehavior)
      #expect(report.coveredSchedules == 1)
      #expect(report.behaviors == 1)
    }
  }

  @Test func `whoever looks at the order of the children sees every order`() {
    let (found, all) = outcomes { _ in
      await withTaskGroup(of: Int.self) { group in
        for child in 0..<3 {
          group.addTask {
            await Task.yield(); return child
          }
        }
        var text = ""
        for await child in group { text += "\(child)" }
        return text
      }
    }
    #expect(all.count == 6 && found == all)
  }

  /// What is awaited twice is there the second time: nothing comes between.
  @Test func `a value that is awaited twice is awaited in one step the second time`() {
    let (found, all) = outcomes { _ in
      let board = Board()
      let (first, second) = (Task { await Task.yield() }, Task { board.note("x") })
      await first.value
      let before = board.text
      await first.value
      let after = board.text
      await second.value
      return "\(before) \(after)"
    }
    #expect(all == [" ", "x x"] && found == all)
  }

  /// Another visit to the actor comes between the two halves only where the value was not there yet.
  @Test func `a visit comes between the halves of a wait on an actor only if it suspends`() {
    let (found, all) = outcomes { _ in
      let desk = Desk()
      let task = Task { await Task.yield() }
      async let asker = desk.join(task)
      async let visitor: Void = desk.visit()
      let (text, _) = await (asker, visitor)
      return text
    }
    #expect(all == ["0 0", "1 1", "0 1"] && found == all)
  }

  @Test func `a task that may have asked whether it is cancelled counts as having asked`() {
    let (found, all) = outcomes { _ in
      let slow = Task { await Task.yield() }
      let asker = Task {
        await Task.yield()
        let before = Task.isCancelled
        await slow.value
        return "\(before) \(Task.isCancelled)"
      }
      let canceller = Task { asker.cancel() }
      await canceller.value
      return await asker.value
    }
    #expect(all == ["false false", "false true", "true true"] && found == all)
  }
}

private actor Desk {
  private var visits = 0

  func visit() { visits += 1 }

  func join(_ task: Task<Void, Never>) async -> String {
    let before = visits
    await task.value
    return "\(before) \(visits)"
  }
}
