import Simulator
import Testing

/// A view whose task notes what becomes of it.
@MainActor private func notedView(_ notes: Box<[String]>) -> FakeView<String> {
  FakeView(
    id: "a", named: "list", onAppear: { notes.value.append("appears") },
    onDisappear: { notes.value.append("disappears") },
    task: { id in
      notes.value.append("\(id) begins")
      do {
        try await Task.sleep(for: .seconds(5))
        notes.value.append("\(id) ends")
      } catch {
        notes.value.append("\(id) is cancelled")
      }
    })
}

@Suite struct FakeViewTests {
  /// What is noted while `body` acts on a view in an execution.
  private func notes(_ body: @escaping @MainActor (FakeView<String>) async throws -> Void) -> [String] {
    let notes = Box<[String]>([])
    let execution = simulate { _ in
      notes.value = []
      try await body(notedView(notes))
    }
    #expect(execution.violations.map(\.message) == [])
    return notes.value
  }

  @Test func `its task begins when it appears and ends by itself`() {
    #expect(notes { $0.appear() } == ["appears", "a begins", "a ends"])
  }

  @Test func `its task is cancelled when it disappears`() {
    let noted = notes { view in
      view.appear()
      try await Task.sleep(for: .seconds(1))
      view.disappear()
    }
    #expect(noted == ["appears", "a begins", "disappears", "a is cancelled"])
  }

  @Test func `its task begins anew when its id changes, beside the old one that is yet to notice`() {
    let noted = notes { view in
      view.appear()
      try await Task.sleep(for: .seconds(1))
      view.update(id: "a")
      view.update(id: "b")
    }
    #expect(noted == ["appears", "a begins", "b begins", "a is cancelled", "b ends"])
  }

  @Test func `an id that changes while it is away is the one that its task begins with`() {
    let noted = notes { view in
      view.update(id: "b")
      try await Task.sleep(for: .seconds(1))
      view.appear()
    }
    #expect(noted == ["appears", "b begins", "b ends"])
  }

  @Test func `it appears once and disappears once, and may come back`() {
    let noted = notes { view in
      view.disappear()
      view.appear()
      view.appear()
      try await Task.sleep(for: .seconds(6))
      view.disappear()
      view.disappear()
      view.appear()
      #expect(view.isVisible)
    }
    #expect(
      noted == ["appears", "a begins", "a ends", "disappears", "appears", "a begins", "a ends"])
  }

  @Test func `a task that was cancelled before it began begins all the same, cancelled`() {
    let noted = notes { view in
      view.appear()
      view.disappear()
    }
    #expect(noted == ["appears", "disappears", "a begins", "a is cancelled"])
  }

  @Test func `the trace tells in its name when it is there`() {
    let execution = simulate { _ in
      await MainActor.run {
        let view = FakeView(id: 0, named: "list")
        view.appear()
        view.disappear()
      }
    }
    // Leaving cancels what it does while it is there.
    #expect(execution.kinds == [.appeared(owner: "list"), .taskCancelled(1), .dismissed(owner: "list")])
  }

  @Test func `it works outside a simulation`() async {
    let notes = Box<[String]>([])
    let view = await notedView(notes)
    await view.appear()
    await view.disappear()
    while notes.value.last != "a is cancelled" { await Task.yield() }
    #expect(notes.value.contains("disappears"))
  }
}
