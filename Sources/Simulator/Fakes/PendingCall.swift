/// A call that a fake has received and not yet ended, with everything about it decided: see ``CallRecorder``.
public struct PendingCall: Sendable {
  /// What was called, as the trace shows it.
  public let call: Trace.Call
  /// The position of the call among the calls of its operation, from 1.
  public let number: Int
  /// How long the caller waits.
  public let delay: Duration
  /// How long the work that the answer makes keeps the caller's domain closed.
  public let spend: Duration
  /// The reply. Whether it means anything is up to the fake, and so is throwing its ``FakeReply/error``.
  public let reply: FakeReply
  /// Where the call is to fail.
  public let fault: FakeFault
  /// Whether the call goes on to its end although its task was cancelled.
  public let ignoresCancellation: Bool
  /// The position of its record.
  let index: Int
  private let recorder: CallRecorder

  init(_ record: CallRecord, at index: Int, of recorder: CallRecorder, _ behavior: FakeBehavior) {
    call = record.call
    number = record.number
    self.index = index
    self.recorder = recorder
    delay = behavior.delay.drawn()
    spend = behavior.spend.drawn()
    reply = Alternatives.drawn(.alternative, among: behavior.replies)
    fault = Alternatives.drawn(.fault, among: behavior.faults)
    ignoresCancellation = Self.drawn(behavior.ignoresCancellation)
  }

  /// What a report calls the two.
  private enum OnCancel: String, CustomStringConvertible {
    case honours = "honours a cancel"
    case ignores = "ignores a cancel"
    var description: String { rawValue }
  }

  private static func drawn(_ ignores: [Bool]) -> Bool {
    guard ignores.count > 1 else { return ignores[0] }
    return Alternatives.drawn(.alternative, among: ignores.map { $0 ? OnCancel.ignores : .honours })
      == .ignores
  }
}

// MARK: - Effects and faults

extension PendingCall {
  /// Waits until the call has reached the fake, for its ``delay``.
  ///
  /// - Throws: What ``wait(_:)`` and ``failBeforeEffect()`` throw.
  public func arrive() async throws {
    try await wait()
    try failBeforeEffect()
  }

  /// The call is about to have its effect, as a whole.
  ///
  /// - Throws: `InjectedFault` when the call fails before it has an effect. A torn call does too: what is
  ///   changed as a whole is not torn.
  public func failBeforeEffect() throws {
    if fault == .beforeCommit || fault == .torn { throw injectedFault }
  }

  /// The call has done something: a commit, one entity of a batch. The trace and the call's record show it.
  /// O(1).
  public func tookEffect(_ effect: String) { recorder.tookEffect(effect, self) }

  /// The call has had all its effect.
  ///
  /// - Throws: `InjectedFault` when the caller is told nonetheless that the call failed.
  public func failAfterEffect() throws {
    if fault == .afterCommit { throw injectedFault }
  }

  /// The error of this call where its ``fault`` strikes.
  public var injectedFault: InjectedFault { InjectedFault(fake: call.fake, operation: call.operation) }

  /// One of `options`, of which there must be at least one: a choice on the tape inside a simulation, the
  /// first outside.
  public func choose<Option>(_ kind: Schedule.Choice.Kind = .alternative, among options: [Option]) -> Option {
    Alternatives.drawn(kind, among: options)
  }
}

// MARK: - Waiting and ending

extension PendingCall {
  /// Waits for the call's ``delay``, or for a part of it.
  ///
  /// - Throws: `CancellationError` as soon as the requester is cancelled, unless the call ignores that. It
  ///   throws too when the requester was cancelled between the timer and this task's turn.
  public func wait(_ part: Duration? = nil) async throws {
    let duration = part ?? delay
    guard !ignoresCancellation else { return await waitRegardless(duration) }
    try Task.checkCancellation()
    guard duration > .zero else { return }
    try await Task.sleep(for: duration)
    try Task.checkCancellation()
  }

  /// The call ends with what `work` returns or throws. A call ends once.
  ///
  /// - Parameters:
  ///   - value: The answer as the trace shows it.
  ///   - work: What is left to do for the call, with every wait in it.
  /// - Throws: What `work` throws.
  public func end<Answer>(
    showing value: (Answer) -> Trace.Value = { _ in .none }, _ work: () async throws -> Answer
  ) async throws -> Answer {
    do {
      let answer = try await work()
      recorder.ended(self, .returned(value(answer)))
      return answer
    } catch {
      recorder.ended(self, .failure(error))
      throw error
    }
  }

  /// The requester of a call that ``CallRecorder/begin(_:_:)`` began was cancelled. Without effect when the
  /// call has ended.
  ///
  /// - Returns: Whether the call gives up: it is still in flight and does not ignore cancellation.
  @discardableResult
  public func cancel() -> Bool { recorder.cancelled(self) }
}

/// Waits, whatever becomes of the task. No method: see `spendTime`.
private func waitRegardless(_ duration: Duration) async {
  guard duration > .zero else { return }
  let deadline = ContinuousClock.now + duration
  do {
    try await Task.sleep(until: deadline)
  } catch {
    // A cancelled task cannot sleep: another task sleeps for it, which nothing cancels.
    await Task.detached { try? await Task.sleep(until: deadline) }.value
  }
}
