/// Where a fake receives its calls: numbers them, decides what each is like, and keeps them on record.
///
/// A call *begins* in its caller's step, before it goes to the fake's actor, so that the trace tells who called, from
/// where and when, and a cancel that comes on the way is seen at once. That is why a lock guards this and not the
/// actor, which would have to be awaited. A call takes effect and ends on the fake's actor, so that between a commit
/// and its requester's next step others can act, as they can in the world.
final class CallDesk: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    var records: [CallRecord] = []
  }

  private let fake: String
  private let scripts: [String: [Behaviour]]
  private let otherwise: Behaviour
  private let state = Guarded(State())

  init(_ fake: String, _ scripts: [String: [Behaviour]], otherwise: Behaviour) {
    precondition(
      scripts.values.allSatisfy { !$0.isEmpty }, "an operation's list of behaviours must not be empty")
    self.fake = fake
    self.scripts = scripts
    self.otherwise = otherwise
  }

  var records: [CallRecord] {
    touch(.read)
    return state.withLock(\.records)
  }

  /// The running step reads or changes what the fake holds, without a call.
  func touch(_ access: SharedObject.Access) { Simulation.current?.access(fake: fake, access) }

  /// The running task calls `operation`, which `serve` does on the fake's actor; answers with what that answers.
  func call<Answer>(
    _ operation: String, _ detail: Value, _ serve: (Visit) async throws -> Answer
  ) async throws -> Answer {
    let visit = begin(operation, detail)
    return try await withTaskCancellationHandler {
      try await serve(visit)
    } onCancel: {
      cancelled(visit)
    }
  }

  /// The call of `visit` has done something.
  func took(effect: String, _ visit: Visit) {
    Simulation.current?.record(.effect(visit.call, effect))
    state.withLock { $0.records[visit.index].effects.append(effect) }
  }

  /// The call of `visit` ends with what `work` answers or throws.
  func end<Answer>(
    _ visit: Visit, showing value: (Answer) -> Value, _ work: () async throws -> Answer
  ) async throws -> Answer {
    do {
      let answer = try await work()
      ended(visit, .returned(value(answer)))
      return answer
    } catch {
      ended(visit, .failure(error))
      throw error
    }
  }

  /// A call begins, in its caller's step.
  func begin(_ operation: String, _ detail: Value) -> Visit {
    let call = Simulation.current?.call(fake, operation, detail)
    let (record, index) = state.withLock { state in
      let number = state.counts[operation, default: 0] + 1
      state.counts[operation] = number
      let call =
        call
        ?? Call(
          id: state.records.count + 1, fake: fake, operation: operation, detail: detail,
          requesterWasCancelled: Task.isCancelled)
      let record = CallRecord(call: call, number: number)
      state.records.append(record)
      return (record, state.records.count - 1)
    }
    Simulation.current?.record(.began(record.call))
    let script = scripts[operation]
    let behaviour = script.map { $0[min(record.number, $0.count) - 1] } ?? otherwise
    let visit = Visit(record.call, number: record.number, index: index, behaviour)
    state.withLock {
      $0.records[index].reply = visit.reply.name
      $0.records[index].fault = visit.fault
    }
    return visit
  }

  /// The requester was cancelled; answers whether the call gives up for it. Only what is in flight is cancelled; the
  /// caller may not have learned yet that it has ended.
  @discardableResult
  func cancelled(_ visit: Visit) -> Bool {
    guard state.withLock({ $0.records[visit.index].isInFlight }) else { return false }
    Simulation.current?.record(.cancellation(visit.call, honoured: !visit.ignoresCancellation))
    return !visit.ignoresCancellation
  }

  private func ended(_ visit: Visit, _ outcome: Outcome) {
    Simulation.current?.record(.ended(visit.call, outcome))
    state.withLock { state in
      state.records[visit.index].outcome = outcome
      state.records[visit.index].requesterWasCancelledAtEnd = Task.isCancelled
    }
  }
}
