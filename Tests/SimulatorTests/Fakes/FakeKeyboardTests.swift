import Simulator
import Testing

@Suite struct FakeKeyboardTests {
  private static let pauses: [FakeTiming] = [.none, .milliseconds(100), .milliseconds(300)]

  @Test func `keys come after their pauses, and the last pause repeats`() {
    let pressed = Box<[String]>([])
    _ = simulate { simulation in
      try await FakeKeyboard(pauses: Self.pauses).type("abcd") {
        pressed.value.append("\($0) at \(simulation.now)")
      }
    }
    #expect(pressed.value == ["a at 0 s", "b at 100 ms", "c at 400 ms", "d at 700 ms"])
  }

  @Test func `what must be quiet soon after the last key is not disturbed by a long pause`() {
    let execution = simulate { simulation in
      simulation.require(.settles(within: .milliseconds(200)))
      try await FakeKeyboard(pauses: Self.pauses).type("abcd") { _ in }
    }
    #expect(execution.violations.map(\.message) == [])
    #expect(execution.vacuousInvariants.isEmpty)
  }

  @Test func `each key is an action of the user`() {
    let execution = simulate { _ in try await FakeKeyboard().type("ab") { _ in } }
    let begun = execution.kinds.compactMap { kind in
      if case .actionBegan(let action) = kind { return action.label }
      return nil
    }
    #expect(begun == ["key a", "key b"])
  }

  @Test func `keys are pressed on the caller's domain`() {
    let execution = simulate { _ in
      try await Task { @MainActor in
        try await FakeKeyboard(pauses: Self.pauses).type("ab") { _ in MainActor.assertIsolated() }
      }.value
    }
    #expect(execution.violations.isEmpty)
  }

  @Test func `a pause that is a range is a choice on the tape`() {
    let ranges = [FakeTiming.between(.milliseconds(80), and: .seconds(2))]
    let natural = simulate { _ in try await FakeKeyboard(pauses: ranges).type("a") { _ in } }
    let slow = simulate(.only(0, 1, of: 2)) { _ in try await FakeKeyboard(pauses: ranges).type("a") { _ in } }
    #expect(natural.choices.map(\.kind) == [.delay])
    #expect(natural.endTime.nanoseconds == 80_000_000)
    #expect(slow.endTime.nanoseconds == 2_000_000_000)
  }

  @Test func `typing that is cancelled stops between two keys`() {
    let pressed = Box("")
    let execution = simulate { _ in
      let typing = Task {
        try await FakeKeyboard(pauses: Self.pauses).type("abc") { pressed.value += $0 }
      }
      try await Task.sleep(for: .milliseconds(200))
      typing.cancel()
      _ = await typing.result
    }
    #expect(pressed.value == "ab")
    #expect(execution.endTime.nanoseconds == 200_000_000)
  }
}
