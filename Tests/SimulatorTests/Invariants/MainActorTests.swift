import Simulator
import Synchronization
import Testing

/// Invariants and actions that read and call the main actor say so, and need no more.
@Suite struct `Invariants of the main actor` {
  @MainActor private final class Model {
    private(set) var isShown = true
    private(set) var isLoading = false
    private(set) var page: Int?

    func load() async {
      isLoading = true
      try? await Task.sleep(for: .seconds(1))
      page = 1
      isLoading = false
    }

    func leave() {
      isShown = false
      page = nil
    }
  }

  /// All executions note in the same one.
  private final class Seen: Sendable {
    private let notes = Mutex<Set<String>>([])
    var all: Set<String> { notes.withLock { $0 } }
    func insert(_ note: String) { notes.withLock { _ = $0.insert(note) } }
  }

  private func problems(_ body: @escaping @MainActor @Sendable (Simulation, Model) async -> Void) -> Set<
    String
  > {
    let report = explore { simulation in
      await Task { @MainActor in await body(simulation, Model()) }.value
    }
    return Set(report.violations.map(\.invariant))
  }

  @Test func `a condition is judged after every step`() {
    let broken = problems { simulation, model in
      simulation.always("shows nothing", onMain: { model.page == nil })
      await model.load()
    }
    #expect(broken == ["shows nothing"])
  }

  @Test func `a problem is the sentence of the violation`() {
    let report = explore { simulation in
      let model = Model()
      simulation.always("shows nothing", onMain: { model.page.map { "shows \($0)" } })
      await model.load()
    }
    #expect(report.violations.map(\.message) == ["shows 1"])
  }

  @Test func `what is to come true is looked for on the main actor`() {
    let broken = problems { simulation, model in
      simulation.eventually("shows a page", within: .seconds(2), onMain: { model.page == 1 })
      simulation.eventually("shows it at once", within: .milliseconds(1), onMain: { model.page == 1 })
      await model.load()
      try? await Task.sleep(for: .seconds(3))
    }
    #expect(broken == ["shows it at once"])
  }

  @Test func `an action comes to the main actor before, in the middle and after, and in no step of it`() {
    let seen = Seen()
    _ = explore { simulation in
      let model = Model()
      simulation.anytime(
        "leave",
        onMain: {
          seen.insert("\(model.isLoading) \(model.page ?? 0)")
          model.leave()
        })
      await model.load()
      try? await Task.sleep(for: .seconds(1))
    }
    #expect(seen.all == ["false 0", "true 0", "false 1"])
  }

  @Test func `a report calls the task by the name of the action`() throws {
    let report = explore { simulation in
      let model = Model()
      simulation.anytime("leave", onMain: { model.leave() })
      await model.load()
      simulation.always("left only later", onMain: { model.isShown })
      try? await Task.sleep(for: .seconds(1))
    }
    #expect(try #require(report.violations.first).trace.tasks.contains { $0.name == "leave" })
  }
}
