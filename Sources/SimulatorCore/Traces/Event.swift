extension Trace {
  /// One thing that happened in an execution, with its time, its place and its task.
  public struct Event: Hashable, Sendable {
    /// The virtual time.
    public let time: VirtualInstant
    /// The number of the step in which it happened, from 1; 0 means before the first step.
    public let step: Int
    /// The domain of that step, an index into ``Trace/domains``.
    public let domain: Int
    /// The task of that step, an index into ``Trace/tasks``; nil between steps.
    public let task: Int?
    /// The kind of the event.
    public let kind: Kind

    package init(time: VirtualInstant, step: Int, domain: Int, task: Int?, kind: Kind) {
      (self.time, self.step, self.domain, self.task, self.kind) = (time, step, domain, task, kind)
    }

    /// The kinds of events.
    public enum Kind: Hashable, Sendable {
      /// A step begins: the event's task runs on the event's domain. A monitor sees it only if it asks for it.
      case step
      /// A call to a fake begins.
      case began(Trace.Call)
      /// A call has an effect before it ends: a commit, one entity of a torn write.
      case effect(Trace.Call, String)
      /// The requester of a call in flight was cancelled; `honored` if the fake gives up because of it.
      case cancellation(Trace.Call, honored: Bool)
      /// A call to a fake ends.
      case ended(Trace.Call, Trace.Outcome)
      /// An action of the script begins.
      case actionBegan(Trace.Action)
      /// An action of the script ends.
      case actionEnded(Trace.Action, Trace.Outcome)
      /// The task of an action is cancelled from outside.
      case cancelled(Trace.Action)
      /// A step of the program cancels a task that has not ended, an index into ``Trace/tasks``; nil stands for all
      /// tasks of a group. Cancellations inside a library, such as that of a group that an error ends, are not
      /// reported.
      case taskCancelled(Int?)
      /// The user has come, or come back; what happens on behalf of `owner` is wanted.
      case appeared(owner: String)
      /// The user has left; what still happens on behalf of `owner` comes too late.
      case dismissed(owner: String)
      /// A step has changed a value on the screen, in a cache or on a disk.
      case changed(name: String, from: Trace.Value, to: Trace.Value)
      /// Work that takes time kept the domain closed, from the event's time on.
      case spent(Duration)
      /// An action that may happen at any time happens here: its name.
      case anytime(String)
      /// A continuation of `task` is resumed that had been resumed before.
      case resumedTwice(task: String)
      /// A process of the simulated machine dies: its name.
      case died(process: String)
      /// The system of a scenario is launched again, after its process has died.
      case relaunched
      /// A connection is decided to be down for this time.
      case offline(from: VirtualInstant, to: VirtualInstant)
      /// A line of a script cancels an action that has not begun: its label.
      case cancelledNothing(label: String)
      /// The process of the program ends here.
      case crashed
      /// A step of the program never returns from here.
      case hung
      /// Something worth showing that has no kind of its own.
      case note(String)
    }
  }
}

extension Trace.Event {
  /// The name of the anytime action that begins here.
  package var anytimeAction: String? {
    if case .anytime(let name) = kind { name } else { nil }
  }
}

extension Trace {
  /// A call to a fake.
  public struct Call: Hashable, Sendable {
    /// The number of the call in its execution, from 1.
    public let id: Int
    /// The fake, as the scenario's world names it: `network`.
    public let fake: String
    /// The operation: `GET /inbox`.
    public let operation: String
    /// The arguments of the call, for people: the entity written, the query.
    public let detail: Trace.Value
    /// True if the task that made the call was cancelled already when it began.
    public let requesterWasCancelled: Bool

    package init(id: Int, fake: String, operation: String, detail: Trace.Value, requesterWasCancelled: Bool) {
      (self.id, self.fake, self.operation, self.detail) = (id, fake, operation, detail)
      self.requesterWasCancelled = requesterWasCancelled
    }
  }
}

extension Trace {
  /// An action of a script.
  public struct Action: Hashable, Sendable {
    /// The label that the script gives it, or its name and number.
    public let label: String
    /// The action's name.
    public let name: String
    /// Its arguments, a record; nothing if it has none.
    public let arguments: Trace.Value

    /// Creates the action `name`; `label` distinguishes it from others.
    public init(label: String, name: String, arguments: Trace.Value = .none) {
      self.label = label
      self.name = name
      self.arguments = arguments
    }
  }
}

extension Trace {
  /// The way a call or an action ended.
  public enum Outcome: Hashable, Sendable, CustomStringConvertible {
    case returned(Trace.Value)
    case threw(String)
    case cancelled

    public var description: String {
      switch self {
      case .returned(.none): "returned"
      case .returned(let value): "returned \(value)"
      case .threw(let error): "threw \(error)"
      case .cancelled: "was cancelled"
      }
    }

    /// Returns the outcome of a body that threw `error`: cancelled, or the error's text. `URLSession` has an error of
    /// its own for the former.
    public static func failure(_ error: any Error) -> Trace.Outcome {
      isCancellation(error) ? .cancelled : .threw(String(describing: error))
    }

    private static func isCancellation(_ error: any Error) -> Bool {
      if error is CancellationError { return true }
      // This is `URLError.cancelled`, without Foundation.
      return error._code == -999 && error._domain == "NSURLErrorDomain"
    }
  }
}

extension Trace.Event {
  /// True if it happened on the concurrent pool, which every trace lists as its first domain.
  public var isOnPool: Bool { domain == 0 }

  /// True if it happened on the main actor, which every trace lists as its second domain.
  public var isOnMainActor: Bool { domain == 1 }
}
