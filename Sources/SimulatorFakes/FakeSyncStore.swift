public import SimulatorCore
internal import SimulatorKernel

/// A store whose calls return at once, without `await`: a keychain, `UserDefaults`, a file of settings.
///
/// ```swift
/// let keychain = FakeSyncStore(["write": [FakeBehavior(replies: [.ok(), .failure(Locked(), named: "locked")])]])
/// try keychain.write("token 1", for: "session")
/// #expect(keychain.value("session", as: String.self) == "token 1")
/// ```
///
/// Its operations are called `read`, `write` and `remove`. Each has its own behavior, call after call, and the last
/// repeats. A reply that is an error, such as that of a keychain on a locked device, is thrown, and nothing is changed. A
/// call with the fault ``FakeFault/afterCommit`` throws after the change. If a behavior lists several replies or faults, the
/// decision is a choice on the tape. Outside a simulation the store works too, and takes the first.
///
/// Any thread may call it at any time. With preemptible steps another step can run between two calls, as with
/// `UserDefaults`. So a value that is read, changed and written back may be lost.
public final class FakeSyncStore: CallRecording {
  /// Its name in traces.
  public let name: String
  private let recorder: CallRecorder
  // Behind a lock because the calls are synchronous.
  private let state: Guarded<State>

  private struct State {
    var contents: [String: any Sendable]
    var revision = 0
  }

  /// Makes a store. The n-th call of an operation takes the n-th of its behaviors; the last repeats.
  ///
  /// - Precondition: The operations are those of a store, and no behavior takes time or needs a connection.
  public init(
    _ operations: [String: [FakeBehavior]] = [:], holding contents: [String: any Sendable] = [:],
    named name: String = "settings"
  ) {
    for (operation, behaviors) in operations.sorted(by: { $0.key < $1.key }) {
      Self.refuse(behaviors, of: operation, name)
    }
    self.name = name
    recorder = CallRecorder(name, operations)
    state = Guarded(State(contents: contents))
  }

  private static func refuse(_ behaviors: [FakeBehavior], of operation: String, _ name: String) {
    // These are not preconditions, because an optimized build drops their messages.
    if !["read", "write", "remove"].contains(operation) {
      fatalError("\(name) has no operation \(operation): its operations are read, write and remove")
    }
    let takesTime = behaviors.contains {
      $0.arrivalDelay != nil || $0.delay != .none || $0.spend != .none || $0.connection != .up
    }
    if takesTime {
      fatalError(
        "the calls of \(name) return at once, so \(operation) has no delay and no connection: leave them out")
    }
  }

  /// Every call so far, in the order in which they began.
  public var calls: [CallRecord] { recorder.calls }

  /// The number of changes of its contents. While this is the same, so are the contents. O(1).
  public var revision: Int { state.withLock(\.revision) }

  /// Returns the value under `key`, without a call; nil if there is none, or one of another type.
  public func value<Content: Sendable>(_ key: String, as type: Content.Type) -> Content? {
    recorder.accessed(.read)
    return state.withLock { $0.contents[key] as? Content }
  }

  /// Returns the value under `key`; nil if there is none.
  ///
  /// - Throws: The reply's error, `InjectedFault`, or ``FakeStore/Mismatch`` if the value is of another type.
  public func read<Content: Sendable>(_ key: String, as type: Content.Type) throws -> Content? {
    try call("read", key, .read, showing: { .text($0.map { "\($0)" } ?? "nothing") }) { call in
      if let error = call.reply.error { throw error }
      try call.failBeforeEffect()
      try call.failAfterEffect()
      guard let found = state.withLock({ $0.contents[key] }) else { return nil }
      guard let content = found as? Content else {
        throw FakeStore.Mismatch(description: "\(key) is a \(Swift.type(of: found)), not a \(Content.self)")
      }
      return content
    }
  }

  /// Keeps `content` under `key`.
  ///
  /// - Throws: The reply's error or `InjectedFault`.
  public func write(_ content: some Sendable, for key: String) throws {
    try change("write", key, "wrote \(key)") { contents in
      contents[key] = content
      return true
    }
  }

  /// Removes what is under `key`, if there is anything.
  ///
  /// - Throws: The reply's error or `InjectedFault`.
  public func remove(_ key: String) throws {
    try change("remove", key, "removed \(key)") { $0.removeValue(forKey: key) != nil }
  }

  private func change(
    _ operation: String, _ key: String, _ effect: String, _ make: (inout [String: any Sendable]) -> Bool
  ) throws {
    try call(operation, key, .change, showing: { .none }) { call in
      if let error = call.reply.error { throw error }
      try call.failBeforeEffect()
      let isChanged = state.withLock { state in
        let isChanged = make(&state.contents)
        if isChanged { state.revision += 1 }
        return isChanged
      }
      if isChanged { call.tookEffect(effect) }
      try call.failAfterEffect()
    }
  }

  private func call<Answer>(
    _ operation: String, _ key: String, _ access: CallRecorder.Access,
    showing value: (Answer) -> Trace.Value, _ serve: (PendingCall) throws -> Answer
  ) throws -> Answer {
    Simulation.current?.comesTo(self, changes: access == .change)
    recorder.accessed(access)
    let call = recorder.begin(operation, .text(key))
    return try call.endAtOnce(showing: value) { try serve(call) }
  }
}
