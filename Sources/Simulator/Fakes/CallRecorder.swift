/// Receives a fake's calls: numbers them, decides what each is like, and keeps them on record.
///
/// Our fakes are written with it, and so can yours be. A fake is an actor, or any `Sendable` type, that holds
/// a recorder and conforms to ``CallRecording``:
///
/// ```swift
/// public actor FakeMailer: CallRecording {
///   public nonisolated let name: String
///   private let recorder: CallRecorder
///   public private(set) var outbox: [String] = []
///
///   public init(_ operations: [String: [FakeBehavior]] = [:], named name: String = "mailer") {
///     self.name = name
///     recorder = CallRecorder(name, operations)
///   }
///
///   public nonisolated var calls: [CallRecord] { recorder.calls }
///
///   public nonisolated(nonsending) func send(_ letter: String) async throws {
///     try await recorder.call("send", .text(letter)) { call in try await deliver(letter, call) }
///   }
///
///   private func deliver(_ letter: String, _ call: PendingCall) async throws {
///     try await call.end {
///       try await call.arrive()
///       outbox.append(letter)
///       call.tookEffect("sent")
///       try call.failAfterEffect()
///     }
///   }
/// }
/// ```
///
/// The life of a call:
/// 1. It *begins* in its caller's step, before it goes to the fake's actor: so the trace tells who called,
///    from where and when, and a cancel that comes on the way is seen at once. Its ``FakeBehavior`` is looked up
///    then, and what that leaves open is decided: a choice on the tape inside a simulation, the first
///    possibility outside. The method that callers call is `nonisolated(nonsending)` for this reason:
///    otherwise it hops to the pool before the call begins.
/// 2. It *takes effect* on the fake's actor, when it has arrived: ``PendingCall/arrive()``, the change of
///    what the fake holds, ``PendingCall/tookEffect(_:)``, ``PendingCall/failAfterEffect()``. That is when its delay
///    is over, or before, where its behavior says when it ``FakeBehavior/reaches`` the fake.
/// 3. It *ends* on the fake's actor, with the way back behind it: ``PendingCall/end(showing:_:)``. So other steps can
///    run between a commit and the next step of its requester, as they can in the world, and a cancel can come when
///    all is done and nothing is known.
/// 4. What the answer costs is *spent* on the caller's domain, which stays closed meanwhile.
///
/// When the requester is cancelled while its call is in flight, the trace says so at once, and
/// `PendingCall.wait(_:)` throws `CancellationError`, unless the call's behavior ignores cancellation.
public final class CallRecorder: Sendable {
  /// How a step uses what a fake holds.
  public enum Access: Sendable {
    /// It only reads.
    case read
    /// It changes something.
    case change
  }

  private struct State {
    var counts: [String: Int] = [:]
    var records: [CallRecord] = []
  }

  /// What traces call the fake.
  public let name: String
  private let operations: [String: [FakeBehavior]]
  private let otherwise: FakeBehavior
  // A lock and not an actor, because a call begins in its caller's step: an actor would have to be awaited.
  private let state = Guarded(State())

  /// A recorder of the fake `name`, of which the n-th call of an operation takes the n-th of its behaviors.
  ///
  /// - Parameters:
  ///   - name: What traces call the fake. Calls of two fakes with one name cannot be told apart.
  ///   - operations: The behaviors of each operation; the last one repeats. A list must not be empty.
  ///   - otherwise: The behavior of every other operation.
  public init(
    _ name: String, _ operations: [String: [FakeBehavior]] = [:], otherwise: FakeBehavior = FakeBehavior()
  ) {
    if let operation = operations.lazy.filter({ $0.value.isEmpty }).map(\.key).min() {
      // A mistake in the code of the test: a fake without a behavior could answer nothing.
      fatalError(
        "the fake \(name) has an empty list of behaviors for \(operation): name at least one behavior in it")
    }
    self.name = name
    self.operations = operations
    self.otherwise = otherwise
  }

  /// Every call so far, in the order in which they began. O(1), and the next call that changes copies:
  /// O(calls).
  public var calls: [CallRecord] {
    accessed(.read)
    return state.withLock(\.records)
  }

  /// The running step reads or changes, without a call, what the fake holds in something that is no actor's
  /// state, as a lock is.
  ///
  /// The reduced search asks for this to know which orders of steps come to the same. Without effect outside
  /// a simulation.
  public func accessed(_ access: Access) {
    Simulation.current?.access(fake: name, access == .read ? .read : .exclusive)
  }

  /// The running task calls `operation`: the whole life of a call.
  ///
  /// - Parameters:
  ///   - operation: What the call's behavior is looked up by.
  ///   - detail: What the call is made with, for the trace.
  ///   - serve: The fake's side, which goes to the fake's actor and ends the call there with
  ///     ``PendingCall/end(showing:_:)``.
  /// - Returns: What `serve` returns, when the call's ``PendingCall/spend`` is over.
  /// - Throws: What `serve` throws.
  #if DEBUG
    // Optimized for its caller it has other hops, and with them other steps: those of a debug build stay as they are.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  #endif
  public func call<Answer>(
    _ operation: String, _ detail: Trace.Value = .none, _ serve: (PendingCall) async throws -> Answer
  ) async throws -> Answer {
    let call = begin(operation, detail)
    let answer = try await withTaskCancellationHandler {
      try await serve(call)
    } onCancel: {
      call.cancel()
    }
    await spendTime(call.spend)
    return answer
  }

  /// A call begins, in its caller's step: for a fake whose answer does not come to the task that asks, such
  /// as one that calls back. Who begins a call also says when it is cancelled, with ``PendingCall/cancel()``,
  /// and spends its ``PendingCall/spend``. O(1).
  public func begin(_ operation: String, _ detail: Trace.Value = .none) -> PendingCall {
    let simulated = Simulation.current?.call(name, operation, detail)
    let (made, number, index) = state.withLock { state in
      let number = Self.next(&state.counts[operation, default: 0])
      let call =
        simulated
        ?? Trace.Call(
          id: state.records.count + 1, fake: name, operation: operation, detail: detail,
          requesterWasCancelled: Task.isCancelled)
      state.records.append(CallRecord(call: call, number: number))
      return (call, number, state.records.count - 1)
    }
    Simulation.current?.record(.began(made))
    let script = operations[operation]
    let behavior = script.map { $0[min(number, $0.count) - 1] } ?? otherwise
    let call = PendingCall(made, number, at: index, of: self, behavior)
    state.withLock { $0.records[index].decide(call) }
    return call
  }
}

extension CallRecord {
  /// Keeps what was decided when the call began.
  fileprivate mutating func decide(_ call: PendingCall) {
    reply = call.reply.name
    fault = call.fault
    reaches = call.reaches
    delay = call.delay
    spend = call.spend
    ignoresCancellation = call.ignoresCancellation
  }
}

extension CallRecorder {
  /// Counts on: the count is looked up once.
  private static func next(_ count: inout Int) -> Int {
    count += 1
    return count
  }
}

// MARK: - What a pending call writes into its record

extension CallRecorder {
  func tookEffect(_ effect: String, _ call: PendingCall) {
    Simulation.current?.record(.effect(call.call, effect))
    state.withLock { $0.records[call.index].effects.append(effect) }
  }

  func arrived(_ call: PendingCall) {
    state.withLock { $0.records[call.index].hasArrived = true }
  }

  func lostConnection(_ call: PendingCall) {
    state.withLock { $0.records[call.index].lostConnection = true }
  }

  func isOnTheWayBack(_ call: PendingCall) -> Bool {
    state.withLock { $0.records[call.index].hasArrived }
  }

  /// Answers whether the call gives up. Only what is in flight is cancelled; the caller may not have learned
  /// yet that it has ended.
  func cancelled(_ call: PendingCall) -> Bool {
    guard state.withLock({ $0.records[call.index].isInFlight }) else { return false }
    Simulation.current?.record(.cancellation(call.call, honoured: !call.ignoresCancellation))
    return !call.ignoresCancellation
  }

  func ended(_ call: PendingCall, _ outcome: Trace.Outcome) {
    Simulation.current?.record(.ended(call.call, outcome))
    state.withLock { state in
      state.records[call.index].outcome = outcome
      state.records[call.index].requesterWasCancelledAtEnd = Task.isCancelled
    }
  }
}
