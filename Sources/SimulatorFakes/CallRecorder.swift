public import SimulatorCore
internal import SimulatorKernel

/// Receives a fake's calls: numbers them, decides how each behaves, and keeps them on record.
///
/// The simulator's fakes use it, and yours can too. A fake is an actor, or any `Sendable` type, that holds a recorder
/// and conforms to ``CallRecording``:
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
/// 1. It *begins* in its caller's step, before it goes to the fake's actor. So the trace shows who called, from where
///    and when, and a cancel that comes in between is seen at once. At this point its ``FakeBehavior`` is looked up,
///    and everything that the behavior leaves open is decided: by a choice on the tape inside a simulation, by the
///    first possibility outside. For this reason the method that callers call is `nonisolated(nonsending)`: otherwise
///    it hops to the pool before the call begins.
/// 2. It *takes effect* on the fake's actor, when it has arrived: ``PendingCall/arrive()``, the change of the fake's
///    contents, ``PendingCall/tookEffect(_:)``, ``PendingCall/failAfterEffect()``. It arrives when its delay is over,
///    or earlier if its behavior has an ``FakeBehavior/arrivalDelay``.
/// 3. It *ends* on the fake's actor, after the way back: ``PendingCall/end(showing:_:)``. So other steps can run
///    between a commit and the next step of its requester, as in the real world. A cancel can come when everything is
///    done and the requester does not know it yet.
/// 4. The cost of the answer is *spent* on the caller's domain, which stays closed meanwhile.
///
/// When the requester is cancelled while its call is in flight, the trace says so at once, and
/// `PendingCall.wait(_:)` throws `CancellationError`, unless the call's behavior ignores cancellation.
public final class CallRecorder: Sendable {
  /// The way in which a step uses the contents of a fake.
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

  /// The fake's name in traces.
  public let name: String
  private let operations: [String: [FakeBehavior]]
  private let otherwise: FakeBehavior
  // A lock and not an actor, because a call begins in its caller's step: an actor would have to be awaited.
  private let state = Guarded(State())

  /// Makes a recorder of the fake `name`. The n-th call of an operation takes the n-th of its behaviors.
  ///
  /// - Parameters:
  ///   - name: The fake's name in traces. Calls of two fakes with the same name cannot be distinguished.
  ///   - operations: The behaviors of each operation; the last one repeats. A list must not be empty.
  ///   - otherwise: The behavior of every other operation.
  public init(
    _ name: String, _ operations: [String: [FakeBehavior]] = [:], otherwise: FakeBehavior = FakeBehavior()
  ) {
    if let operation = operations.lazy.filter({ $0.value.isEmpty }).map(\.key).min() {
      // This is a mistake in the test's code: a fake without a behavior could not answer.
      fatalError(
        "the fake \(name) has an empty list of behaviors for \(operation): name at least one behavior in it")
    }
    self.name = name
    self.operations = operations
    self.otherwise = otherwise
  }

  /// Every call so far, in the order in which they began. O(1), but the next call that changes the record copies it:
  /// O(calls).
  public var calls: [CallRecord] {
    accessed(.read)
    return state.withLock(\.records)
  }

  /// Notes that the running step reads or changes the fake's contents without a call, when they are not in an actor's
  /// state but, for example, behind a lock.
  ///
  /// The reduced search needs this to know which orders of steps are equivalent. It has no effect outside a simulation.
  public func accessed(_ access: Access) {
    Simulation.current?.access(fake: name, access == .read ? .read : .exclusive)
  }

  /// Makes the running task call `operation`, and handles the call from its beginning to its end.
  ///
  /// - Parameters:
  ///   - operation: The name by which the call's behavior is looked up.
  ///   - detail: The arguments of the call, for the trace.
  ///   - serve: The fake's side, which goes to the fake's actor and ends the call there with
  ///     ``PendingCall/end(showing:_:)``.
  /// - Returns: The value that `serve` returns, when the call's ``PendingCall/spend`` is over.
  /// - Throws: The error that `serve` throws.
  #if DEBUG
    // If it were optimized for its caller, it would have other hops and therefore other steps. This keeps the steps of
    // a debug build.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  #endif
  public func call<Answer>(
    _ operation: String, _ detail: Trace.Value = .none, _ serve: (PendingCall) async throws -> Answer
  ) async throws -> Answer {
    let call = begin(operation, detail)
    Questions.willAddHandler()
    let answer = try await withTaskCancellationHandler {
      try await serve(call)
    } onCancel: {
      call.cancel()
    }
    await spendTime(call.spend)
    return answer
  }

  /// Begins a call in its caller's step. Use it for a fake whose answer does not come to the requesting task, such as
  /// one that calls back. The code that begins a call also reports its cancellation with ``PendingCall/cancel()``, and
  /// spends its ``PendingCall/spend``. O(1).
  public func begin(_ operation: String, _ detail: Trace.Value = .none) -> PendingCall {
    let simulated = Simulation.current?.call(name, operation, detail)
    let (made, number, index) = state.withLock { state in
      let number = Self.next(&state.counts[operation, default: 0])
      let call =
        simulated
        ?? Trace.Call(
          id: state.records.count + 1, fake: name, operation: operation, detail: detail,
          requesterWasCancelled: Questions.isCancelled)
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
  /// Records what was decided when the call began.
  fileprivate mutating func decide(_ call: PendingCall) {
    reply = call.reply.name
    fault = call.fault
    arrivalDelay = call.arrivalDelay
    delay = call.delay
    spend = call.spend
    ignoresCancellation = call.ignoresCancellation
  }
}

extension CallRecorder {
  /// Increments and returns `count`. The caller's dictionary is looked up once.
  private static func next(_ count: inout Int) -> Int {
    count += 1
    return count
  }
}

// MARK: - Writing the record of a pending call

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

  /// Returns true if the call gives up. Only a call in flight is cancelled; the caller may not have learned yet that
  /// its call has ended.
  func cancelled(_ call: PendingCall) -> Bool {
    guard state.withLock({ $0.records[call.index].isInFlight }) else { return false }
    Simulation.current?.record(.cancellation(call.call, honored: !call.ignoresCancellation))
    return !call.ignoresCancellation
  }

  func ended(_ call: PendingCall, _ outcome: Trace.Outcome) {
    Simulation.current?.record(.ended(call.call, outcome))
    state.withLock { state in
      state.records[call.index].outcome = outcome
      state.records[call.index].requesterWasCancelledAtEnd = Questions.isCancelled
    }
  }
}
