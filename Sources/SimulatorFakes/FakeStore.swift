public import SimulatorCore
internal import Synchronization

/// A store that keeps its calls on record. The test decides how slow it is, and where it fails or tears.
///
/// ```swift
/// let store = FakeStore(writeDelay: .seconds(1))
/// try await store.write("draft", for: "letter")
/// #expect(await store.value("letter", as: String.self) == "draft")
/// #expect(store.writes.allSatisfy { !$0.requesterWasCancelledAtBegin })
/// ```
///
/// Its operations are called `read`, `write` and `transaction`. Each has its own behavior, call after call, and the
/// last repeats. Values of any type are kept as they are, without coding. If a behavior offers a range or alternatives,
/// the decision is a choice on the tape. Outside a simulation the store works too: it takes the natural choice, and
/// real time passes.
///
/// A reply that is one of the database's own errors, such as
/// `.failure(DatabaseError(resultCode: .SQLITE_FULL), named: "full")`, is thrown in place of the answer, and nothing is
/// changed. A store ignores every other reply.
///
/// A cancelled call ends at once with `CancellationError`, and writes nothing more. So nothing of a transaction is
/// written, and of a batch only the entities whose turn had come. A call that ignores cancellation continues to its
/// end.
public actor FakeStore: CallRecording {
  /// Its name in traces.
  public nonisolated let name: String
  let recorder: CallRecorder
  /// The contents of the store.
  public private(set) var contents: [String: any Sendable]
  private let changes = Atomic(0)
  var transactions = Transactions()

  /// Makes a store whose calls take this long and never fail.
  public init(
    readDelay: FakeTiming = .none, writeDelay: FakeTiming = .none,
    holding contents: [String: any Sendable] = [:],
    named name: String = "store"
  ) {
    let write = [FakeBehavior(delay: writeDelay)]
    self.init(
      ["read": [FakeBehavior(delay: readDelay)], "write": write, "transaction": write], holding: contents,
      named: name)
  }

  /// Makes a store. The n-th call of an operation takes the n-th of its behaviors; the last repeats.
  public init(
    _ operations: [String: [FakeBehavior]], holding contents: [String: any Sendable] = [:],
    named name: String = "store"
  ) {
    self.name = name
    self.contents = contents
    recorder = CallRecorder(name, operations)
  }

  /// The number of changes of its contents. While this is the same, so are the contents. O(1).
  public nonisolated var revision: Int { changes.load(ordering: .relaxed) }

  /// Every call so far, in the order in which they began.
  public nonisolated var calls: [CallRecord] { recorder.calls }

  /// Every call so far that changes something, in the order in which they began.
  public nonisolated var writes: [CallRecord] { recorder.calls.filter { $0.call.operation != "read" } }

  /// Returns the value under `key`, without a call; nil if there is none, or one of another type.
  public func value<Content: Sendable>(_ key: String, as type: Content.Type) -> Content? {
    contents[key] as? Content
  }

  /// Returns all its values of that type, without a call, in the order of the keys.
  public func values<Content: Sendable>(as type: Content.Type) -> [Content] {
    contents.sorted { $0.key < $1.key }.compactMap { $0.value as? Content }
  }
}

extension FakeStore: FakeStore.KeyValueStore {
  /// Returns the value under `key` when the delay is over; nil if there is none.
  ///
  /// - Throws: `InjectedFault`, ``FakeStore/Mismatch`` if the value is of another type, or `CancellationError`.
  public nonisolated func read<Content: Sendable>(
    _ key: String, as type: Content.Type
  ) async throws -> Content? {
    try await read(key, as: type, showing: { .text("\($0)") })
  }

  /// Returns the value under `key` as ``read(_:as:)`` does. The trace shows it as `value` says.
  public nonisolated func read<Content: Sendable>(
    _ key: String, as type: Content.Type, showing value: @escaping @Sendable (Content) -> Trace.Value
  ) async throws -> Content? {
    try await read(.text(key), showing: { $0.map(value) ?? .none }) { (contents) throws -> Content? in
      guard let found = contents[key] else { return nil }
      guard let content = found as? Content else {
        throw FakeStore.Mismatch(description: "\(key) is a \(Swift.type(of: found)), not a \(Content.self)")
      }
      return content
    }
  }

  /// Returns all values of that type in the store when the delay is over, by their keys.
  ///
  /// - Throws: `InjectedFault` or `CancellationError`.
  public nonisolated func readAll<Content: Sendable>(as type: Content.Type) async throws -> [String: Content]
  {
    try await readAll(as: type, showing: { .text("\($0.count) value(s)") })
  }

  /// Returns all values of that type as ``readAll(as:)`` does. The trace shows them as `value` says.
  public nonisolated func readAll<Content: Sendable>(
    as type: Content.Type, showing value: @escaping @Sendable ([String: Content]) -> Trace.Value
  ) async throws -> [String: Content] {
    try await read(.none, showing: value) { $0.compactMapValues { $0 as? Content } }
  }

  /// Makes one change after the other, each after its share of the delay.
  ///
  /// - Throws: `InjectedFault` or `CancellationError`; some of the changes may have been made.
  public nonisolated func write(_ changes: [FakeStore.Change]) async throws {
    try await recorder.call("write", changes.shown) { try await serveWrite($0, changes) }
  }

  /// Makes all changes at once when the delay is over.
  ///
  /// - Throws: `InjectedFault`, after which they may have been made, or `CancellationError`, after which they have not
  ///   been made.
  public nonisolated func transaction(_ changes: [FakeStore.Change]) async throws {
    try await recorder.call("transaction", changes.shown) { try await serveTransaction($0, changes) }
  }

  private nonisolated func read<Found: Sendable>(
    _ detail: Trace.Value, showing value: @escaping @Sendable (Found) -> Trace.Value,
    _ find: @escaping @Sendable ([String: any Sendable]) throws -> Found
  ) async throws -> Found {
    try await recorder.call("read", detail) { try await serveRead($0, value, find) }
  }
}

extension FakeStore {
  /// The error of a read when the value under a key is not of the requested type.
  public struct Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The types that were found and requested.
    public let description: String
  }
}

// MARK: - The store's side

extension FakeStore {
  private func serveRead<Found: Sendable>(
    _ call: PendingCall, _ value: @Sendable (Found) -> Trace.Value,
    _ find: @Sendable ([String: any Sendable]) throws -> Found
  ) async throws -> Found {
    try await call.end(showing: value) {
      try await call.wait()
      if let error = call.reply.error { throw error }
      if call.fault != .noFault { throw call.injectedFault }
      return try find(contents)
    }
  }

  private func serveWrite(_ call: PendingCall, _ changes: [FakeStore.Change]) async throws {
    try await call.end {
      let whole = changes.count
      let isTorn = call.fault == .torn && whole > 1
      let part = isTorn ? call.choose(.fault, among: Array(1..<whole)) : whole
      if whole == 0 { try await call.wait() }
      for (index, change) in changes.enumerated() {
        if index == part { throw call.injectedFault }
        try await call.wait(call.effectDelay.share(index, of: whole))
        await waitForOpenTransactions()
        try refuse(call, isTorn: isTorn)
        make(change)
        call.tookEffect(change.past)
      }
      call.hasArrived()
      try call.failAfterEffect()
    }
  }

  private func serveTransaction(_ call: PendingCall, _ changes: [FakeStore.Change]) async throws {
    try await call.end {
      try await call.wait(call.effectDelay)
      await waitForOpenTransactions()
      try refuse(call)
      call.hasArrived()
      for change in changes { make(change) }
      call.tookEffect("committed")
      try call.failAfterEffect()
    }
  }

  /// Refuses a change with the store's own error or an injected one, if the call has one.
  func refuse(_ call: PendingCall, isTorn: Bool = false) throws {
    if let error = call.reply.error { throw error }
    if !isTorn { try call.failBeforeEffect() }
  }

  func make(_ change: FakeStore.Change) {
    changes.add(1, ordering: .relaxed)
    switch change {
    case .set(let key, let value): contents[key] = value
    case .remove(let key): contents[key] = nil
    }
  }
}

extension [FakeStore.Change] {
  fileprivate var shown: Trace.Value { count == 1 ? .text(self[0].key) : .list(map { .text($0.key) }) }
}

extension ClosedRange<Duration> {
  /// Returns part number `index` of `count` equal parts.
  fileprivate func share(_ index: Int, of count: Int) -> ClosedRange<Duration> {
    lowerBound.share(index, of: count)...upperBound.share(index, of: count)
  }
}

extension Duration {
  /// Returns part number `index` of `count` equal parts. The last takes the odd nanoseconds.
  fileprivate func share(_ index: Int, of count: Int) -> Duration {
    let part = self / count
    return index == count - 1 ? self - part * (count - 1) : part
  }
}
