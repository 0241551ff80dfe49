public import SimulatorCore

extension Invariant {
  /// An action that runs undisturbed does what it is meant to do.
  ///
  /// The fault is not a race. A result is dropped, an error is swallowed, a cache is never filled, and no other
  /// invariant looks there.
  ///
  /// ```swift
  /// Invariant.rightWhenAlone { save throws(LoneAction.Flaw) in
  ///   try save.demand(save.returned == save.succeeded("write"), "it says that it is saved where it is, and only there")
  ///   if save.returned { try save.demand(save.after["cache"] == save.after["disk"], "what is saved is cached") }
  /// }
  /// ```
  ///
  /// This is the specification of the actions run one after the other; if they overlap, other invariants judge them. An
  /// action is alone if it begins when all is at rest, no other action begins until all is at rest again, and it is not
  /// canceled. It is judged at that time.
  ///
  /// - Parameter check: Throws if the action was not right, by ``LoneAction/demand(_:_:)``.
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
  /// True if an action was canceled since all was last at rest, perhaps before it began.
  private var isCancelled = false
  private var hasBegun = false
  private var hasJudged = false

  init(check: @escaping @Sendable (LoneAction) throws(LoneAction.Flaw) -> Void) {
    self.check = check
  }

  var judged: Bool { hasJudged || isDue }

  /// True if an action that was alone is over.
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
    case .ended(let call, let outcome):
      action?.calls.append(LoneAction.Call(call: call, outcome: outcome, end: event.time))
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

/// An action that ran alone, for ``Invariant/rightWhenAlone(_:)``.
public struct LoneAction: Sendable {
  /// A demand that is not met.
  public struct Flaw: Error {
    let demand: String
  }

  struct Call {
    let call: Trace.Call
    let outcome: Trace.Outcome
    let end: VirtualInstant
  }

  /// True if no action began before it.
  public let isFirst: Bool
  /// The name that the script gives it, with its arguments.
  public let label: String
  /// The name of the action.
  public let name: String
  /// The observed values when it began.
  public let before: [String: Trace.Value]
  /// The observed values when all was at rest again.
  public fileprivate(set) var after: [String: Trace.Value] = [:]
  /// The values that each observed value took in the meantime, in order; only values that changed are included.
  public fileprivate(set) var changes: [String: [Trace.Value]] = [:]
  /// True if the user came to a screen in the meantime, or came back to it.
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

  /// True if it succeeded.
  public var returned: Bool {
    if case .returned = outcome { true } else { false }
  }

  /// True if it failed; an action that ended as canceled has neither failed nor returned.
  public var threw: Bool {
    if case .threw = outcome { true } else { false }
  }

  /// The text of the error with which it failed; empty if it did not.
  public var error: String {
    if case .threw(let error) = outcome { error } else { "" }
  }

  /// True if any call failed in the meantime, or returned a record whose `status` is 400 or above.
  public var hadFailure: Bool { calls.contains(where: \.isFailure) }

  /// Returns, for each call of the operation, true if it succeeded, in the order in which they ended.
  public func successes(_ operation: String) -> [Bool] {
    calls.filter { $0.call.operation == operation }.map { !$0.isFailure }
  }

  /// Returns the text of the error with which each call of the operation failed, in the order in which they ended; the
  /// text is empty if the call returned, or ended as canceled.
  public func errors(_ operation: String) -> [String] {
    calls.filter { $0.call.operation == operation }.map {
      if case .threw(let error) = $0.outcome { error } else { "" }
    }
  }

  /// Returns true if a call of `operation` ended at an earlier time than every call of `other`, or none of those has ended.
  public func ended(_ operation: String, before other: String) -> Bool {
    guard let first = calls.first(where: { $0.call.operation == operation }) else { return false }
    return calls.allSatisfy { $0.call.operation != other || $0.end > first.end }
  }

  /// Returns the number of calls of the operation. O(calls), like the functions below.
  public func count(_ operation: String) -> Int { calls.count { $0.call.operation == operation } }

  /// Returns the detail with which each call of the operation was made.
  public func details(_ operation: String) -> [Trace.Value] {
    calls.filter { $0.call.operation == operation }.map(\.call.detail)
  }

  /// Returns true if the last call of the operation succeeded; false if there was none.
  public func succeeded(_ operation: String) -> Bool {
    calls.last { $0.call.operation == operation }.map { !$0.isFailure } ?? false
  }

  /// Returns true if the last call of the operation failed; false if there was none.
  public func failed(_ operation: String) -> Bool {
    calls.last { $0.call.operation == operation }?.isFailure ?? false
  }

  /// Returns the result of the last call of the operation; nil if it failed, or there was none.
  public func answer(_ operation: String) -> Trace.Value? {
    guard let last = calls.last(where: { $0.call.operation == operation }), !last.isFailure,
      case .returned(let value) = last.outcome
    else { return nil }
    return value
  }

  /// Throws unless `isMet`; the report then says that the demand in `words` was not met.
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
