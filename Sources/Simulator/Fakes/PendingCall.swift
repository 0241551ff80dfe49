/// A call that a fake has received and not yet ended, with everything about it decided: see ``CallRecorder``.
public struct PendingCall: Sendable {
  /// What was called, as the trace shows it.
  public let call: Trace.Call
  /// The position of the call among the calls of its operation, from 1.
  public let number: Int
  /// How long the call takes to the fake, at least and at most, where ``delay`` is only the way back; else nil.
  public let reaches: ClosedRange<Duration>?
  /// How long the caller waits: at least and at most. What is left open is decided as time moves.
  public let delay: ClosedRange<Duration>
  /// How long the work that the answer makes keeps the caller's domain closed.
  public let spend: Duration
  /// The reply. Whether it means anything is up to the fake, and so is throwing its ``FakeReply/error``.
  public let reply: FakeReply
  /// Where the call is to fail.
  public let fault: FakeFault
  /// Whether the call goes on to its end although its task was cancelled.
  public let ignoresCancellation: Bool
  /// What it meets on its connection.
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
    reaches = behavior.reaches?.offered()
    delay = behavior.delay.offered()
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
  /// Waits until the call has reached the fake: for its ``wayThere``. Where a call fails before it has an effect, it
  /// does not get there, and its caller learns that at once.
  ///
  /// - Throws: What `wait(_:)` and ``failBeforeEffect()`` throw.
  public func arrive() async throws {
    try await wait(wayThere)
    try failBeforeEffect()
    hasArrived()
  }

  /// How long the call takes until the fake acts: its ``reaches``, or its ``delay`` where the two ways are one.
  public var wayThere: ClosedRange<Duration> { reaches ?? delay }

  /// What comes from now on, an answer or an error, has the way back before it.
  func hasArrived() {
    if reaches != nil { recorder.arrived(self) }
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
  /// Waits for the call's ``wayThere``.
  ///
  /// - Throws: What ``wait(_:)-(ClosedRange<Duration>)`` throws.
  public func wait() async throws {
    try await wait(wayThere)
    hasArrived()
  }

  /// Waits for `part`, a part of the call's ``delay``.
  ///
  /// - Throws: What ``wait(_:)-(ClosedRange<Duration>)`` throws.
  public func wait(_ part: Duration) async throws { try await wait(part...part) }

  /// Waits for `part` at least and at most: a part of the call's ``delay``.
  ///
  /// - Throws: `CancellationError` as soon as the requester is cancelled, unless the call ignores that. It
  ///   throws too when the requester was cancelled between the timer and this task's turn. A ``FakeNetwork/Failure``
  ///   when the call's connection is down, or goes down meanwhile.
  public func wait(_ part: ClosedRange<Duration>) async throws {
    switch met {
    case .nothing: try await pass(part)
    case .downtime:
      if !ignoresCancellation { try Task.checkCancellation() }
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

  /// Time passes, as ``wait(_:)-(ClosedRange<Duration>)`` says.
  private func pass(_ part: ClosedRange<Duration>) async throws {
    guard !ignoresCancellation else { return await waitRegardless(part, call.operation) }
    try Task.checkCancellation()
    guard part.upperBound > .zero else { return }
    try await sleep(part, about: call.operation)
    try Task.checkCancellation()
  }

  /// Waits as long again as the way there may take, whatever becomes of the caller; for a turn where that is no time.
  func travelAgain() async {
    guard wayThere.upperBound > .zero else { return await Task.yield() }
    await waitRegardless(wayThere, "\(call.operation) again")
  }

  /// The call ends with what `work` returns or throws. A call ends once.
  ///
  /// Where the call has a way back, it ends when that is over: a requester that is cancelled meanwhile gets
  /// `CancellationError`, and what the call has done stays done.
  ///
  /// - Parameters:
  ///   - value: The answer as the trace shows it.
  ///   - work: What is left to do for the call, with every wait in it.
  /// - Throws: What `work` throws, or `CancellationError` on the way back.
  #if DEBUG
    // As `CallRecorder.call`.
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

  /// The same for a call that has no way back. Apart, because an optimized build leaves the caller's actor in ``end(showing:_:)``.
  #if DEBUG
    // As `CallRecorder.call`.
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

  /// What `work` returns or throws, when the way back is over if the call has one.
  func comingBack<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
    guard reaches != nil else { return try await work() }
    let result: Result<Answer, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    if recorder.isOnTheWayBack(self) { try await wait(delay) }
    return try result.get()
  }

  /// The requester of a call that ``CallRecorder/begin(_:_:)`` began was cancelled. Without effect when the
  /// call has ended.
  ///
  /// - Returns: Whether the call gives up: it is still in flight and does not ignore cancellation.
  @discardableResult
  public func cancel() -> Bool { recorder.cancelled(self) }
}

/// Waits, whatever becomes of the task. No method: see `spendTime`.
private func waitRegardless(_ range: ClosedRange<Duration>, _ subject: String) async {
  guard range.upperBound > .zero else { return }
  let start = ContinuousClock.now
  do {
    try await sleep(range, about: subject)
  } catch {
    // A cancelled task cannot sleep: another task sleeps for it, which nothing cancels.
    await Task.detached { try? await sleepOn(range, since: start, subject) }.value
  }
}

/// Goes on with a sleep that began at `start`: one that was put off at its low end is still put off.
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
    ? scheduler?.putOff(atMost: rest.upperBound.wholeNanoseconds, isPutOff: true) : nil
  try await sleep(rest, about: subject, putOff: putOff)
}
