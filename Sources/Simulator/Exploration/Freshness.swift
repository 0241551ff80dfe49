package import SimulatorCore

extension Explorer {
  /// The processes in which executions run.
  ///
  /// What a program keeps from one execution to the next (a global, a static, a lazy value) makes the first execution
  /// of a process unlike the later ones. A *fresh process* is a copy of this one from before the search, or the replay,
  /// first ran the program. A report calls it a copy of the process from before the search, because other code may have
  /// run before that. Simulated tests ask for more: see
  /// `Trait.simulated(schedules:seed:strategy:exhaustiveDeviationBound:replays:timeBudget:inSeparateProcess:options:sourceLocation:)`.
  public enum Freshness: Hashable, Sendable {
    /// All executions run in this process.
    case unchecked
    /// Executions run in this process. If it can be forked, which takes a process with one thread, the natural order
    /// and each violation run in a fresh process too. If the first execution differs from later ones, each runs in a
    /// fresh process, as in ``everyExecution``.
    case checked
    /// Each execution runs in a fresh process, which costs two or three milliseconds. What such a process prints is not
    /// shown, and what ends it is a violation, as in ``Explorer/Isolation/forks``. If this process cannot be forked,
    /// the report says so.
    case everyExecution
  }

  /// The processes in which executions ran.
  public enum Processes: Hashable, Codable, Sendable {
    /// Each in a fresh one.
    case eachFresh
    /// In one; the natural order, and the schedule of each violation, in a fresh one too.
    case oneAndFresh
    /// In a few, each of which ran many, one after another; the natural order, and the schedule of each violation, in a fresh
    /// one too. What a process keeps may differ in each: see ``Explorer/jobs``.
    case fewAndFresh
    /// In one. None was tried in a fresh one; `why` says why not, if it was wanted.
    case one(why: String?)
  }
}

extension Explorer.Processes: CustomStringConvertible {
  /// The continuation of a verdict's sentence.
  public var description: String { text(from: .program) }

  /// Returns the same text if fresh processes are copies from `origin`.
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
  /// Checks if this process can have fresh processes now. Returns why not; nil if it can.
  package static func refusalOfFreshProcesses() -> String? {
    FreshProcesses.refusal ?? FreshProcesses.trial()
  }
}

/// The access of an exploration to fresh processes.
enum ProcessAccess {
  case notAsked
  case refused(String)
  case granted(FreshProcesses)

  /// Creates access to processes whose executions `recorder` shows.
  init(_ recorder: FlightRecorder?, _ limits: Explorer.ProcessLimits) {
    if let refusal = FreshProcesses.refusal {
      self = .refused(refusal)
    } else if let fresh = recorder.flatMap({ FreshProcesses($0, limits: limits) }) {
      self = .granted(fresh)
    } else {
      self = .refused("no memory can be shared with a child")
    }
  }

  /// The reason why a child could not be started; nil if all could.
  var fault: String? { if case .granted(let fresh) = self { fresh.fault } else { nil } }
}
