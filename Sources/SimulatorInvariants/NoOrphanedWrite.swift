public import SimulatorCore

extension Invariant {
  /// No write begins after the last task that wanted it was canceled or its owner was dismissed.
  ///
  /// A write is orphaned if it *began* after its task was canceled or after the user had left. A write that began
  /// before may finish. A write that began in a canceled task and was refused has written nothing and does no harm.
  ///
  /// The race: the screen closes while the reply is in flight; the reply then comes and is saved.
  ///
  /// ```swift
  /// let profile = try await network.profile()   // the user leaves here
  /// try await store.save(profile)               // and this is written behind their back
  /// ```
  ///
  /// - Parameters:
  ///   - store: The fake that is written to.
  ///   - writes: The operations of that fake that write.
  ///   - owner: The owner whose dismissal counts; nil for any owner.
  public static func noOrphanedWrite(
    to store: String = "store", by writes: Set<String> = ["write", "transaction"], of owner: String? = nil
  ) -> Invariant {
    Invariant("no-orphaned-write", "No write begins after its task was cancelled or the user has left.") {
      NoOrphanedWrite(store: store, writes: writes, dismissal: Dismissal(owner: owner))
    }
  }
}

private struct NoOrphanedWrite: Invariant.Monitor {
  let store: String
  let writes: Set<String>
  var dismissal: Dismissal
  private var suspects: Set<Int> = []
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  init(store: String, writes: Set<String>, dismissal: Dismissal) {
    self.store = store
    self.writes = writes
    self.dismissal = dismissal
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    dismissal.saw(event)
    switch event.kind {
    case .began(let call) where call.fake == store && writes.contains(call.operation):
      return began(call, event)
    case .effect(let call, let effect) where suspects.contains(call.id):
      diagnosis = .writeAfterCancellation
      return
        "\(call.operation) of \(call.detail) began in a task that was cancelled, and went through: \(effect)"
    case .ended(let call, _): suspects.remove(call.id)
    default: break
    }
    return nil
  }

  private mutating func began(_ call: Trace.Call, _ event: Trace.Event) -> String? {
    judged = true
    if call.requesterWasCancelled {
      suspects.insert(call.id)
    } else if let left = dismissal.moment(before: event) {
      diagnosis = .outlivedOwner
      return "the user left at \(left.time), and at \(event.time) \(call.operation) of \(call.detail) began"
    }
    return nil
  }
}
