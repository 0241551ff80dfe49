extension Invariant {
  /// An action that nothing disturbs does what it is meant to do.
  ///
  /// The fault: no race at all. A result is dropped, an error is swallowed, a cache is never filled, and no other invariant
  /// looks there.
  ///
  /// ```swift
  /// Invariant.rightWhenAlone { save in
  ///   try save.demand(save.returned == save.succeeded("write"), "it says that it is saved where it is, and only there")
  ///   if save.returned { try save.demand(save.after["cache"] == save.after["disk"], "what is saved is cached") }
  /// }
  /// ```
  ///
  /// It is the specification of the actions one after the other; where they overlap, other invariants judge. An action is
  /// alone if it begins when all is at rest, no other one begins until all is at rest again, and nobody cancels it. It is judged
  /// then.
  ///
  /// - Parameter check: Throws where the action was not right, by ``LoneAction/demand(_:_:)``.
  public static func rightWhenAlone(
    _ check: @escaping @Sendable (LoneAction) throws(LoneAction.Flaw) -> Void
  ) -> Invariant {
    Invariant("right-when-alone", "An action that nothing disturbs does what it is meant to do.") {
      RightWhenAlone(check: check)
    }
  }
}

private struct RightWhenAlone: Invariant.Monitor {
  let check: @Sendable (LoneAction) throws(LoneAction.Flaw) -> Void
  private var held: [String: Trace.Value] = [:]
  private var action: LoneAction?
  private var activity = Activity()
  private var isAtRest = true
  /// Whether an action was cancelled since, perhaps before it began.
  private var isCancelled = false
  private var hasBegun = false
  private var hasJudged = false

  init(check: @escaping @Sendable (LoneAction) throws(LoneAction.Flaw) -> Void) {
    self.check = check
  }

  var judged: Bool { hasJudged || isDue }

  /// Whether an action is over that was alone.
  private var isDue: Bool { activity.isQuiet && action?.outcome != nil }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .actionBegan(let began):
      let isAlone = isAtRest && !isCancelled
      action = isAlone ? LoneAction(began, at: event.time, before: held, isFirst: !hasBegun) : nil
      (isAtRest, hasBegun) = (false, true)
    case .cancelled:
      action = nil
      isCancelled = true
    case .appeared: action?.appeared = true
    case .actionEnded(_, let outcome): action?.outcome = outcome
    case .ended(let call, let outcome): action?.calls.append(LoneAction.Call(call: call, outcome: outcome))
    case .changed(let name, _, let to):
      held[name] = to
      action?.changes[name, default: []].append(to)
    default: break
    }
    return nil
  }

  mutating func paused(_ time: VirtualInstant) -> String? {
    isAtRest = activity.isQuiet
    isCancelled = false
    return atRest(time)
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard isDue, var action else { return nil }
    self.action = nil
    hasJudged = true
    action.after = held
    do throws(LoneAction.Flaw) {
      try check(action)
      return nil
    } catch {
      return "\(action.label) was alone from \(action.begin) to \(end), and “\(error.demand)” was not so"
    }
  }
}

/// An action that was alone, for ``Invariant/rightWhenAlone(_:)``.
public struct LoneAction: Sendable {
  /// A demand that is not met.
  public struct Flaw: Error {
    let demand: String
  }

  struct Call {
    let call: Trace.Call
    let outcome: Trace.Outcome
  }

  /// Whether no action has begun before it.
  public let isFirst: Bool
  /// What the script calls it, with its arguments.
  public let label: String
  /// The name of the action.
  public let name: String
  /// The observed values when it began.
  public let before: [String: Trace.Value]
  /// The observed values when all was at rest again.
  public fileprivate(set) var after: [String: Trace.Value] = [:]
  /// What each observed value became meanwhile, in order; only those that changed are here.
  public fileprivate(set) var changes: [String: [Trace.Value]] = [:]
  /// Whether the user has come to a screen meanwhile, or come back.
  public fileprivate(set) var appeared = false
  fileprivate let begin: VirtualInstant
  fileprivate var calls: [Call] = []
  fileprivate var outcome: Trace.Outcome?

  fileprivate init(
    _ action: Trace.Action, at begin: VirtualInstant, before: [String: Trace.Value], isFirst: Bool
  ) {
    (label, name, self.isFirst) = (action.label, action.name, isFirst)
    (self.begin, self.before) = (begin, before)
  }

  /// Whether it has succeeded.
  public var returned: Bool {
    if case .returned = outcome { true } else { false }
  }

  /// Whether it has failed; one that ended as cancelled has neither failed nor returned.
  public var threw: Bool {
    if case .threw = outcome { true } else { false }
  }

  /// The text of the error with which it has failed; empty if it has not.
  public var error: String {
    if case .threw(let error) = outcome { error } else { "" }
  }

  /// Whether any call has failed meanwhile, or answered with a record whose `status` is 400 or above.
  public var hadFailure: Bool { calls.contains(where: \.isFailure) }

  /// Whether each call of the operation has succeeded, in the order of their ends.
  public func successes(_ operation: String) -> [Bool] {
    calls.filter { $0.call.operation == operation }.map { !$0.isFailure }
  }

  /// The text of the error with which each call of the operation has failed, in the order of their ends; empty where it has
  /// answered, or ended as cancelled.
  public func errors(_ operation: String) -> [String] {
    calls.filter { $0.call.operation == operation }.map {
      if case .threw(let error) = $0.outcome { error } else { "" }
    }
  }

  /// How often the operation was called. O(calls), as are the next ones.
  public func count(_ operation: String) -> Int { calls.count { $0.call.operation == operation } }

  /// What the operation was called with, call after call.
  public func details(_ operation: String) -> [Trace.Value] {
    calls.filter { $0.call.operation == operation }.map(\.call.detail)
  }

  /// Whether the last call of the operation has succeeded; false if there was none.
  public func succeeded(_ operation: String) -> Bool {
    calls.last { $0.call.operation == operation }.map { !$0.isFailure } ?? false
  }

  /// Whether the last call of the operation has failed; false if there was none.
  public func failed(_ operation: String) -> Bool {
    calls.last { $0.call.operation == operation }?.isFailure ?? false
  }

  /// What the last call of the operation has answered; nil if it has failed, or there was none.
  public func answer(_ operation: String) -> Trace.Value? {
    guard let last = calls.last(where: { $0.call.operation == operation }), !last.isFailure,
      case .returned(let value) = last.outcome
    else { return nil }
    return value
  }

  /// Throws unless `isMet`; the report says that what `words` demand was not so.
  public func demand(_ isMet: Bool, _ words: String) throws(Flaw) {
    if !isMet { throw Flaw(demand: words) }
  }
}

extension LoneAction.Call {
  fileprivate var isFailure: Bool {
    switch outcome {
    case .returned(let answer): answer.isRefusal
    case .threw, .cancelled: true
    }
  }
}
