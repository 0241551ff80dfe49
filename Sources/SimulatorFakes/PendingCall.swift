public import SimulatorCore
internal import SimulatorKernel

/// A call that a fake has received and not yet ended, with everything about it decided: see ``CallRecorder``.
public struct PendingCall: Sendable {
  /// The call as the trace shows it.
  public let call: Trace.Call
  /// The position of the call among the calls of its operation, from 1.
  public let number: Int
  /// The least and greatest time until the call reaches the fake, if ``delay`` is only the way back; otherwise nil.
  public let arrivalDelay: ClosedRange<Duration>?
  /// The least and greatest time that the caller waits. The moment within it is decided as time moves.
  public let delay: ClosedRange<Duration>
  /// The time that processing the answer keeps the caller's domain closed.
  public let spend: Duration
  /// The reply. The fake decides if the reply means anything, and throws its ``FakeReply/error``.
  public let reply: FakeReply
  /// The point at which the call is to fail.
  public let fault: FakeFault
  /// True if the call continues to its end although its task was cancelled.
  public let ignoresCancellation: Bool
  /// The state of the connection for this call.
  private let met: FakeConnection.Met
  /// The position of its record.
  let index: Int
  private let recorder: CallRecorder

  init(_ call: Trace.Call, _ number: Int, at index: Int, of recorder: CallRecorder, _ behavior: FakeBehavior)
  {
    self.call = call
    self.number = number
    self.index = index
    self.recorder = recorder
    met = behavior.connection.met
    arrivalDelay = behavior.arrivalDelay?.offered()
    delay = behavior.delay.offered()
    spend = behavior.spend.drawn()
    reply = Alternatives.drawn(.alternative, among: behavior.replies)
    fault = Alternatives.drawn(.fault, among: behavior.faults)
    ignoresCancellation = Self.drawn(behavior.ignoresCancellation)
  }

  /// The two options, with their text in a report.
  private enum OnCancel: String, CustomStringConvertible {
    case honors = "honors a cancel"
    case ignores = "ignores a cancel"
    var description: String { rawValue }
  }

  private static func drawn(_ ignores: [Bool]) -> Bool {
    guard ignores.count > 1 else { return ignores[0] }
    return Alternatives.drawn(.alternative, among: ignores.map { $0 ? OnCancel.ignores : .honors })
      == .ignores
  }
}

// MARK: - Effects and faults

extension PendingCall {
  /// Waits for the ``effectDelay`` of the call, until it has reached the fake. A call that fails before it has an effect
  /// does not reach the fake, and its caller learns that at once.
  ///
  /// - Throws: The errors of `wait(_:)` and ``failBeforeEffect()``.
  public func arrive() async throws {
    try await wait(effectDelay)
    try failBeforeEffect()
    hasArrived()
  }

  /// The time until the fake acts: the call's ``arrivalDelay``, or its ``delay`` if the two ways are one.
  public var effectDelay: ClosedRange<Duration> { arrivalDelay ?? delay }

  /// Notes that the call has reached the fake. An answer or an error from now on comes after the way back.
  func hasArrived() {
    if arrivalDelay != nil { recorder.arrived(self) }
  }

  /// Fails the call if it is to fail before its effect. Call this just before the call has its whole effect.
  ///
  /// - Throws: `InjectedFault` if the call fails before it has an effect. A torn call throws too, because a change that
  ///   is made as a whole cannot be torn.
  public func failBeforeEffect() throws {
    if fault == .beforeCommit || fault == .torn { throw injectedFault }
  }

  /// Notes that the call has done something: a commit, one entity of a batch. The trace and the call's record show it.
  /// O(1).
  public func tookEffect(_ effect: String) { recorder.tookEffect(effect, self) }

  /// Fails the call if it is to fail after its effect. Call this when the call has had its whole effect.
  ///
  /// - Throws: `InjectedFault` if the caller is to see a failure nonetheless.
  public func failAfterEffect() throws {
    if fault == .afterCommit { throw injectedFault }
  }

  /// The error of this call when its ``fault`` strikes.
  public var injectedFault: InjectedFault { InjectedFault(fake: call.fake, operation: call.operation) }

  /// Returns one of `options`, which must not be empty: by a choice on the tape inside a simulation, the first outside.
  public func choose<Option>(_ kind: Schedule.Choice.Kind = .alternative, among options: [Option]) -> Option {
    Alternatives.drawn(kind, among: options)
  }
}

// MARK: - Waiting and ending

extension PendingCall {
  /// Waits for the call's ``effectDelay``.
  ///
  /// - Throws: The errors of ``wait(_:)-(ClosedRange<Duration>)``.
  public func wait() async throws {
    try await wait(effectDelay)
    hasArrived()
  }

  /// Waits for `part`, a part of the call's ``delay``.
  ///
  /// - Throws: The errors of ``wait(_:)-(ClosedRange<Duration>)``.
  public func wait(_ part: Duration) async throws { try await wait(part...part) }

  /// Waits for a time within `part`, a part of the call's ``delay``.
  ///
  /// - Throws: `CancellationError` as soon as the requester is cancelled, unless the call ignores that. This includes a
  ///   cancel between the timer and this task's turn. A ``FakeNetwork/Failure`` if the call's connection is down, or
  ///   goes down meanwhile.
  public func wait(_ part: ClosedRange<Duration>) async throws {
    switch met {
    case .nothing: try await pass(part)
    case .downtime:
      if !ignoresCancellation { try Questions.checkCancellation() }
      recorder.lostConnection(self)
      throw FakeNetwork.Failure.offline
    case .loss(let loss):
      let rest = max(.zero, ContinuousClock.now.duration(to: loss))
      try await pass(min(part.lowerBound, rest)...min(part.upperBound, rest))
      guard ContinuousClock.now >= loss else { return }
      recorder.lostConnection(self)
      throw FakeNetwork.Failure.connectionLost
    }
  }

  /// Lets time pass, as in ``wait(_:)-(ClosedRange<Duration>)``.
  private func pass(_ part: ClosedRange<Duration>) async throws {
    guard !ignoresCancellation else { return await waitRegardless(part, call.operation) }
    try Questions.checkCancellation()
    guard part.upperBound > .zero else { return }
    try await sleep(part, about: call.operation)
    try Questions.checkCancellation()
  }

  /// Waits for the ``effectDelay`` once more, even if the caller is cancelled. If that is no time, it yields once.
  func travelAgain() async {
    guard effectDelay.upperBound > .zero else { return await Task.yield() }
    await waitRegardless(effectDelay, "\(call.operation) again")
  }

  /// Ends the call with what `work` returns or throws. A call ends once.
  ///
  /// A call that has a way back ends when that is over. If the requester is cancelled meanwhile, it gets
  /// `CancellationError`, and what the call has done stays done.
  ///
  /// - Parameters:
  ///   - value: The answer as the trace shows it.
  ///   - work: The rest of the call's work, including every wait.
  /// - Throws: The error that `work` throws, or `CancellationError` on the way back.
  #if DEBUG
    // See `CallRecorder.call`.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  #endif
  public func end<Answer>(
    showing value: (Answer) -> Trace.Value = { _ in .none }, _ work: () async throws -> Answer
  ) async throws -> Answer {
    do {
      let answer = try await comingBack(work)
      recorder.ended(self, .returned(value(answer)))
      return answer
    } catch {
      recorder.ended(self, .failure(error))
      throw error
    }
  }

  /// Does the same for a call without a way back. It is separate because an optimized build leaves the caller's actor
  /// in ``end(showing:_:)``.
  #if DEBUG
    // See `CallRecorder.call`.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  #endif
  func endHere<Answer>(
    showing value: (Answer) -> Trace.Value, _ work: () async throws -> Answer
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

  /// Does the same for a call that is over in the step in which it began.
  func endAtOnce<Answer>(
    showing value: (Answer) -> Trace.Value, _ work: () throws -> Answer
  ) throws -> Answer {
    do {
      let answer = try work()
      recorder.ended(self, .returned(value(answer)))
      return answer
    } catch {
      recorder.ended(self, .failure(error))
      throw error
    }
  }

  /// Returns or throws the result of `work`, after the way back if the call has one.
  func comingBack<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
    guard arrivalDelay != nil else { return try await work() }
    let result: Result<Answer, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    if recorder.isOnTheWayBack(self) { try await wait(delay) }
    return try result.get()
  }

  /// Notes that the requester of a call that ``CallRecorder/begin(_:_:)`` began was cancelled. It has no effect if the
  /// call has ended.
  ///
  /// - Returns: True if the call gives up: it is still in flight and does not ignore cancellation.
  @discardableResult
  public func cancel() -> Bool { recorder.cancelled(self) }
}

/// Waits even if the task is cancelled. It is not a method: see `spendTime`.
private func waitRegardless(_ range: ClosedRange<Duration>, _ subject: String) async {
  guard range.upperBound > .zero else { return }
  let start = ContinuousClock.now
  do {
    try await sleep(range, about: subject)
  } catch {
    // A cancelled task cannot sleep, so a detached task, which nothing cancels, sleeps for it.
    await Task.detached { try? await sleepOn(range, since: start, subject) }.value
  }
}

/// Continues a sleep that began at `start`. A sleep that was put off at its low end stays put off.
private func sleepOn(
  _ range: ClosedRange<Duration>, since start: ContinuousClock.Instant, _ subject: String
) async throws {
  guard range.lowerBound < range.upperBound else {
    return try await Task.sleep(until: start + range.lowerBound)
  }
  let past = start.duration(to: .now)
  let rest = max(.zero, range.lowerBound - past)...max(.zero, range.upperBound - past)
  let scheduler = Simulation.current?.scheduler
  let putOff =
    past > range.lowerBound
    ? scheduler?.stillPutOff(atMost: rest.upperBound.wholeNanoseconds, subject) : nil
  try await sleep(rest, about: subject, putOff: putOff)
}
