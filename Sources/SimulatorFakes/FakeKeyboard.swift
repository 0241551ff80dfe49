public import SimulatorCore
internal import SimulatorKernel

/// A person who types, key by key, at the pace that the test sets.
///
/// ```swift
/// let keyboard = FakeKeyboard(pauses: [.none, .between(.milliseconds(80), and: .seconds(2))])
/// try await keyboard.type("swift") { key in search.query += key }
/// ```
///
/// It is a source of actions. The pause is the call `key`, and each key is also a ``Trace/Action`` in the trace. So
/// whatever depends on the user's last action depends on the last key.
public struct FakeKeyboard: CallRecording {
  /// Its name in traces.
  public let name: String
  private let recorder: CallRecorder

  /// Makes a keyboard on which the n-th key comes after the n-th pause; the last repeats. At least one is needed.
  public init(pauses: [FakeTiming] = [.none], named name: String = "keyboard") {
    self.init(pauses.map { FakeBehavior(delay: $0) }, named: name)
  }

  /// Makes a keyboard on which the n-th key takes the `delay` of the n-th of `keys`; the last repeats. At least one is
  /// needed.
  public init(_ keys: [FakeBehavior], named name: String = "keyboard") {
    self.name = name
    recorder = CallRecorder(name, ["key": keys])
  }

  /// Every key so far.
  public var calls: [CallRecord] { recorder.calls }

  /// Types `text`: passes each key to `press` after its pause, on the caller's domain.
  ///
  /// - Throws: `CancellationError` if the typing is cancelled. Keys that were pressed by then stay pressed.
  public nonisolated(nonsending) func type(_ text: String, _ press: (String) -> Void) async throws {
    for character in text {
      let key = Trace.Action(label: "key \(character)", name: "key")
      try await recorder.call("key", .text(String(character))) { call in
        try await call.end {
          try await call.wait()
          Simulation.current?.record(.actionBegan(key))
        }
      }
      press(String(character))
      Simulation.current?.record(.actionEnded(key, .returned(.none)))
    }
  }
}
