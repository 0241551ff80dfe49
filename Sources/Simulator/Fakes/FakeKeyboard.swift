/// Somebody who types, key by key, as fast as they are told.
///
/// ```swift
/// let keyboard = FakeKeyboard(pauses: [.none, .between(.milliseconds(80), and: .seconds(2))])
/// try await keyboard.type("swift") { key in search.query += key }
/// ```
///
/// A source of actions, not a fake that is called: each key is an ``Action`` in the trace, so what is bound to the last
/// thing that the user did is bound to the last key.
public struct FakeKeyboard: Sendable {
  private let pauses: [Timing]

  /// A keyboard on which the n-th key of a text comes after the n-th pause; the last repeats. There must be at least
  /// one.
  public init(pauses: [Timing] = [.none]) {
    precondition(!pauses.isEmpty, "a keyboard needs at least one pause; .none for no pause at all")
    self.pauses = pauses
  }

  /// Types `text`: hands each key to `press` after its pause, on the caller's domain.
  ///
  /// - Throws: `CancellationError` when the typing is cancelled; the keys that were pressed by then stay pressed.
  public nonisolated(nonsending) func type(_ text: String, _ press: (String) -> Void) async throws {
    for (index, character) in text.enumerated() {
      let pause = pauses[min(index, pauses.count - 1)].drawn(.moment)
      if pause > .zero { try await Task.sleep(for: pause) }
      try Task.checkCancellation()
      let key = Action(label: "key \(character)", name: "key")
      Simulation.current?.record(.actionBegan(key))
      press(String(character))
      Simulation.current?.record(.actionEnded(key, .returned(.none)))
    }
  }
}
