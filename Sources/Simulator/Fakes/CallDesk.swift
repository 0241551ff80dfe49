/// Where a fake receives its calls: numbers them, decides what each is like, and keeps them on record.
///
/// Belongs to one fake's actor. A call *begins* on its caller's domain, before it hops here, so that the trace shows
/// who called from where and when; it takes effect and ends here, so that between the commit and the caller's next
/// step others can act, as they can in the world.
final class CallDesk {
  private let scripts: [String: [Behaviour]]
  private let otherwise: Behaviour
  private var counts: [String: Int] = [:]
  private(set) var records: [CallRecord] = []

  init(_ scripts: [String: [Behaviour]], otherwise: Behaviour) {
    precondition(scripts.values.allSatisfy { !$0.isEmpty }, "an operation's list of behaviours must not be empty")
    self.scripts = scripts
    self.otherwise = otherwise
  }

  /// Serves `call` by `work`: `.cancellation` the moment its requester is cancelled, `.ended` when `work` is done.
  func serve<Answer>(
    _ call: Call, showing value: (Answer) -> Value, _ work: (Visit) async throws -> Answer
  ) async throws -> Answer {
    let visit = arrive(call)
    let honours = !visit.ignoresCancellation
    do {
      let answer = try await withTaskCancellationHandler {
        try await work(visit)
      } onCancel: {
        Simulation.current?.record(.cancellation(call, honoured: honours))
      }
      end(visit, .returned(value(answer)))
      return answer
    } catch {
      end(visit, .failure(error))
      throw error
    }
  }

  /// Remembers that the call of `visit` has done something.
  func took(effect: String, _ visit: Visit) {
    Simulation.current?.record(.effect(visit.call, effect))
    records[visit.index].effects.append(effect)
  }

  private func arrive(_ call: Call) -> Visit {
    let number = counts[call.operation, default: 0] + 1
    counts[call.operation] = number
    let call = call.id > 0 ? call : call.numbered(records.count + 1)
    records.append(CallRecord(call: call, number: number))
    let script = scripts[call.operation]
    let behaviour = script.map { $0[min(number, $0.count) - 1] } ?? otherwise
    return Visit(call, number: number, index: records.count - 1, behaviour)
  }

  private func end(_ visit: Visit, _ outcome: Outcome) {
    Simulation.current?.record(.ended(visit.call, outcome))
    records[visit.index].outcome = outcome
    records[visit.index].requesterWasCancelledAtEnd = Task.isCancelled
  }
}

extension Call {
  /// A call that the running task makes now, to be told in the trace. Outside a simulation it has no number yet.
  static func begin(_ fake: String, _ operation: String, _ detail: Value) -> Call {
    guard let simulation = Simulation.current else {
      return Call(
        id: 0, fake: fake, operation: operation, detail: detail, requesterWasCancelled: Task.isCancelled)
    }
    let call = simulation.call(fake, operation, detail)
    simulation.record(.began(call))
    return call
  }

  fileprivate func numbered(_ id: Int) -> Call {
    Call(
      id: id, fake: fake, operation: operation, detail: detail, requesterWasCancelled: requesterWasCancelled)
  }
}
