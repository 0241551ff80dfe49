import Observation
import Simulator
import Testing

@Suite struct `Observed values` {
  @Observable final class Model: @unchecked Sendable {
    // @unchecked Sendable because a simulation runs one thing at a time.
    var number = 0
  }

  @MainActor @Observable final class ScreenModel {
    var number = 0
  }

  private func explore(_ body: @escaping @Sendable (Simulation) async -> Void) -> Explorer.Report {
    var explorer = Explorer(name: "observation", body: body)
    explorer.budget.schedules = 1_000
    return explorer.explore()
  }

  /// `Observations` looks at the values, and then begins to wait. It never hears of a change between the two.
  @Test func `lose a change that comes between a look and the wait for the next`() throws {
    let report = explore { _ in
      let model = Model()
      let watching = Task { @MainActor in
        for await value in Observations({ model.number }) where value == 1 { break }
      }
      let setting = Task.detached { model.number = 1 }
      await watching.value
      await setting.value
    }
    #expect(report.hasPreemptibleSteps)
    #expect(try #require(report.violations.first).invariant == "deadlock")
  }

  @Test func `that one actor reads and changes leave steps atomic`() {
    let report = explore { _ in
      let watching = Task { @MainActor in
        let model = ScreenModel()
        let setting = Task { @MainActor in model.number = 1 }
        for await value in Observations({ model.number }) where value == 1 { break }
        await setting.value
      }
      await watching.value
    }
    #expect(!report.hasPreemptibleSteps)
    #expect(report.holds)
  }
}
