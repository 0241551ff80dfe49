import Simulator
import SimulatorStrategies
import Testing

/// A task gets the priority of one that waits for it. The reduced search has to try the wait before and after each of its steps.
@Suite struct `A wait that raises a priority` {
  /// What the reduced search comes to, and 3,000 random schedules.
  private func outcomes(_ body: @escaping @Sendable () async -> String) -> (Set<String>, Set<String>) {
    let program = SmallProgram("priorities") { _ in await body() }
    let (found, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: 20_000)
    #expect(report.coverage == .everyBehavior, "\(report.incompleteCoverageText ?? "")")
    return (found, program.outcomes(Strategies.Portfolio(), schedules: 3_000).0)
  }

  /// What its own tasks have noted.
  private actor Log {
    private(set) var text = ""
    func starts(_ word: String) {
      Task { text += word }
      text += "."
    }
  }

  // The task that `starts` makes has the priority that its maker has then. The second call comes before it only if a wait has
  // raised the maker's priority in between.
  @Test func `may come between two steps that use the priority`() {
    let (found, all) = outcomes {
      let log = Log(), other = Cell()
      let busy = Task { await other.set(other.value + 1) }
      let low = Task(priority: .low) {
        await log.starts("a")
        await log.starts("b")
      }
      await busy.value
      await low.value
      return await log.text
    }
    #expect(all.contains("..") && all.contains(".a.b"))
    #expect(found.isSuperset(of: all), "\(all.subtracting(found))")
  }

  @Test func `is passed on to what the task waits for, and to its children`() {
    for isChild in [true, false] {
      let (found, all) = outcomes {
        let log = Log(), other = Cell()
        let notes: @Sendable @concurrent () async -> Void = {
          await log.starts("a")
          await log.starts("b")
        }
        let busy = Task { await other.set(other.value + 1) }
        let last = isChild ? nil : Task(priority: .background, operation: { await notes() })
        let middle = Task(priority: .low) {
          async let child: Void? = isChild ? notes() : nil
          await last?.value
          await child
        }
        await busy.value
        await middle.value
        return await log.text
      }
      #expect(all.contains("..") && all.contains(".a.b"), "\(all)")
      #expect(found.isSuperset(of: all), "\(all.subtracting(found))")
    }
  }

  // Until the second task is made, all priorities are the same.
  @Test func `is that of the only task with another priority, too`() {
    let (found, all) = outcomes {
      let log = Log(), other = Cell()
      let usual = Task {
        await log.starts("a")
        await log.starts("b")
      }
      let maker = Task {
        // In the natural order the other task has noted all by then.
        for value in 0..<6 { await other.set(value) }
        await Task(priority: .high) { await usual.value }.value
      }
      await usual.value
      await maker.value
      return await log.text
    }
    #expect(all.contains("..ba") || all.contains("..ab"), "\(all)")
    #expect(found.isSuperset(of: all), "\(all.subtracting(found))")
  }

  @Test func `may be part of a ring of waits`() {
    let report = explore(schedules: 200, strategy: .reduced) { _ in
      let ring = Ring()
      let first = Task(priority: .low) { await ring.second?.value }
      ring.second = Task(priority: .high) { await first.value }
      await first.value
    }
    #expect(report.violations.map(\.invariant) == ["deadlock"])
  }

  // Safe: a simulation runs one task at a time.
  private final class Ring: @unchecked Sendable { var second: Task<Void, Never>? }
}
