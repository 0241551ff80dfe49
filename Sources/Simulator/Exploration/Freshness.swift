extension Explorer {
  /// In which processes executions run.
  ///
  /// What a program keeps from one execution to the next (a global, a static, a lazy value) makes the first execution
  /// of a process unlike the later ones. A *fresh process* is a copy of this one from before the search, or the
  /// replay, ran the program for the first time: a report calls it a copy of the process from before the search, for other
  /// code may have run before that. Simulated tests ask for more: see
  /// `Trait.simulated(schedules:seed:strategy:exhaustsDeviations:replays:timeBudget:contained:options:sourceLocation:)`.
  public enum Freshness: Hashable, Sendable {
    /// In this one, all of them.
    case unchecked
    /// In this one. The natural order and each violation run in a fresh one too where this one can be forked: it has
    /// one thread. Where the first execution differs from later ones, each runs in a fresh one, as in
    /// ``everyExecution``.
    case checked
    /// Each in a fresh one, which costs two or three milliseconds. What a process prints is not shown, and what ends it is
    /// a violation, as in ``Explorer/Isolation/forks``. Where this process cannot be forked the report says so.
    case everyExecution
  }

  /// In which processes executions ran.
  public enum Processes: Hashable, Codable, Sendable {
    /// Each in a fresh one.
    case eachFresh
    /// In one; the natural order, and the schedule of each violation, in a fresh one too.
    case oneAndFresh
    /// In a few, each of which ran many, one after another; the natural order, and the schedule of each violation, in a fresh
    /// one too. What a process keeps may differ in each: see ``Explorer/jobs``.
    case fewAndFresh
    /// In one. None was tried in a fresh one, and why, if it was wanted.
    case one(why: String?)
  }
}

extension Explorer.Processes: CustomStringConvertible {
  /// As the sentence of a verdict goes on.
  public var description: String { text(from: .program) }

  /// The same, where fresh processes are copies from `origin`.
  package func text(from origin: Invariant.Violation.FreshOrigin) -> String {
    let one = origin == .program ? "in a fresh one" : "in a copy from before the search"
    return switch self {
    case .eachFresh: "each \(origin.text)"
    case .oneAndFresh: "in one process, the natural order \(one) too"
    case .fewAndFresh: "in one process or a few, the natural order \(one) too"
    case .one(nil): "in one process"
    case .one(let why?): "in one process (not tried in a fresh one: \(why))"
    }
  }
}

extension Explorer {
  /// Tries whether this process can have fresh ones now. Returns why not; nil if it can.
  package static func refusalOfFreshProcesses() -> String? {
    FreshProcesses.refusal ?? FreshProcesses.trial()
  }
}

/// Whether an exploration can have fresh processes.
enum ProcessAccess {
  case notAsked
  case refused(String)
  case granted(FreshProcesses)

  /// Processes whose executions `recorder` shows.
  init(_ recorder: FlightRecorder?, _ limits: Explorer.ProcessLimits) {
    if let refusal = FreshProcesses.refusal {
      self = .refused(refusal)
    } else if let fresh = recorder.flatMap({ FreshProcesses($0, limits: limits) }) {
      self = .granted(fresh)
    } else {
      self = .refused("no memory can be shared with a child")
    }
  }

  /// Why a child could not be started; nil if all could.
  var fault: String? { if case .granted(let fresh) = self { fresh.fault } else { nil } }
}
