package import SimulatorCore
internal import SimulatorKernel

extension Explorer.Report {
  /// The coverage in words: what was covered completely, if anything; otherwise the estimates that the tried schedules
  /// allow.
  public var coverageText: String {
    var parts: [String] = []
    if let coveredText { parts.append(coveredText) }
    if let incompleteCoverageText { parts.append(incompleteCoverageText) }
    if hasPreemptibleSteps, coverage?.isComplete != true { parts.append("steps overlapped") }
    if hasWeakMemory { parts.append(Self.weakMemory) }
    if coverage != .everySchedule { parts += estimates }
    if let untriedPairs { parts.append(untriedPairs.text) }
    return parts.joined(separator: "; ")
  }

  /// A sentence part that names what was covered completely; nil if nothing was.
  public var coveredText: String? {
    coverage.map { coverage in
      let text = coverage.text(
        schedules: coveredSchedules, fair: skippedUnfairSchedules, overlapping: hasPreemptibleSteps)
      let times =
        hasTimeRanges && coverage != .deviations(atMost: 0)
        ? ", ranges of time ending at either end or where time stops" : ""
      let sample =
        coverage == .everyBehavior && sampledSchedules > 0
        ? "; \(sampledSchedules.grouped) random schedules showed no other" : ""
      let numbers = drewNumbers ? ", for one draw of random numbers" : ""
      return text + times + numbers + (keepsState ? Self.keepingState : "") + sample
    }
  }

  /// The limit of a search with weak memory.
  private static let weakMemory =
    "loads of atomics answered older stores, too, but none that came later (load buffering)"

  /// The limit of a search in one process when executions depend on earlier ones.
  private static let keepingState = ", of a process that had run the program before, which is not a fresh one"

  /// The goal that was to be covered completely and was not; nil if there is none.
  public var incompleteCoverageText: String? {
    shortfallReason.flatMap { reason in
      incompleteCoverage.map { reason.text(for: $0, unseen: untrackedSharing) }
    }
  }

  /// The advice for covering the goal; nil if nothing was left open.
  package var remedy: String? {
    switch shortfallReason {
    case nil: nil
    case .notObserved: "observe values before the first task is made, and take no lock across an `await`"
    case .unseenState where untrackedSharing == "`escalatePriority`": "search by another strategy"
    case .contradiction, .unseenState, .shardsDiffer:
      "declare each access by `Simulation.declareAccess(to:)`, or search by another strategy"
    case .chosenAtOnce:
      "wait by `Simulation.sleep(in:)`, or name the durations by `choose(among:)`"
    case .unfair: "let tasks await what they poll for, or search by another strategy"
    case .ended: "raise `schedules`"
    }
  }

  /// The reason that the goal was not covered; nil if nothing was left open.
  package var shortfallReason: Shortfall? {
    guard let goal = incompleteCoverage else { return nil }
    let isReduced = goal == .everyBehavior
    if stoppedObserving { return .notObserved }
    if isReduced, contradictsCoverage { return .contradiction }
    if isReduced, untrackedSharing != nil { return .unseenState }
    if choseDurationEagerly, goal.isComplete { return .chosenAtOnce }
    return isReduced && skippedUnfairSchedules ? .unfair : .ended
  }

  /// A reason that a goal was not covered.
  package enum Shortfall: String, Codable, CaseIterable, Sendable {
    /// Values were observed while a step was parked.
    case notObserved = "not-observed"
    /// A random schedule showed a behavior that the reduction lacks.
    case contradiction
    /// State is shared by a means that the reduction does not follow.
    case unseenState = "unseen-state"
    /// `choose(in:)` chose a duration at once.
    case chosenAtOnce = "chosen-at-once"
    /// Unfair schedules were left out.
    case unfair
    /// The search ended before that.
    case ended
    /// Other shards of the search found what the coverage of one must not rest on.
    case shardsDiffer = "shards-differ"
  }

  private var estimates: [String] {
    var parts = ["\(behaviors.grouped) distinct \(behaviors == 1 ? "behavior" : "behaviors")"]
    if schedules > 0 {
      parts.append("\(Explorer.Ratio(count: failures, total: schedules)) of the schedules failed")
    }
    if let goodTuringEstimate {
      parts.append("chance that the next random schedule shows something new: \(goodTuringEstimate)")
    }
    return parts
  }
}

extension Explorer.Report.Shortfall {
  /// The goal that was not covered, and why; `unseen` is the means by which state is shared.
  package func text(for goal: Strategies.Coverage, unseen: String?) -> String {
    let reason =
      switch self {
      case .notObserved:
        "values were observed while a step stood in its middle: which step had changed them was not known, so they were "
          + "looked at no more"
      case .contradiction:
        "a random schedule showed a behavior that the reduction lacks: state is shared through something that the "
          + "simulator does not see"
      case .unseenState:
        "state is shared through \(unseen ?? "something"), which the reduction does not follow"
      case .chosenAtOnce: "`choose(in:)` must answer at once, and tries only some durations of its range"
      case .unfair: "tasks yield again and again, so unfair schedules were left out"
      case .ended: "the search ended before that"
      case .shardsDiffer:
        "other shards found that the program does not repeat itself, that work escapes, or that steps must be left in "
          + "their middle"
      }
    return "not \(goal.goalText): \(reason)"
  }
}

extension Strategies.Coverage {
  func text(schedules: Int, fair: Bool, overlapping: Bool = false) -> String {
    let counted = "\(schedules.grouped) \(schedules == 1 ? "schedule" : "schedules")"
    return switch self {
    case .everySchedule:
      "\(schedules == 1 ? "the only" : "all \(schedules.grouped)")\(fair ? " fair" : "") \(schedules == 1 ? "schedule" : "schedules") "
        + (overlapping
          ? "in which \(Self.overlap(seesMutexes: Simulation.followsMutexes)), explored"
          : "of whole steps explored; no step was seen to share anything with the middle of another")
    case .deviations, .stories: "\(goalText) explored (\(schedules.grouped)\(fair ? ", only fair ones" : ""))"
    case .everyBehavior where overlapping:
      "\(goalText) explored, in \(counted) in which \(Self.overlap(seesMutexes: false)), \(Self.notFollowed)"
    case .everyBehavior:
      "\(goalText) of whole steps explored, in \(counted), unless state is shared through `Mutex`, "
        + "`Atomic`, a `weak` reference or anything else but actors, streams, fakes and what is declared"
    }
  }

  private static func overlap(seesMutexes: Bool) -> String {
    if Simulation.followsAtomics {
      return
        "a step is left only where it sets something free, acts on an answer that others may change, comes to an atomic, "
        + "opens the last lock that it holds, or waits"
    }
    let mutexes = seesMutexes ? "comes to a `Mutex` after or within another use of one, " : ""
    return
      "a step is left only where it sets something free, acts on an answer that others may change, opens the last `NSLock` "
      + "or `pthread_mutex` that it holds, \(mutexes)or waits"
  }

  /// The limits of a search through all behaviors when steps are preemptible.
  private static var notFollowed: String {
    Simulation.followsAtomics
      ? "unless state is shared through memory that neither a lock nor an atomic guards, a `weak` reference, when an object "
        + "ends, or code that was built without the flag"
      : "unless state is shared through `Mutex`, `Atomic`, a `weak` reference or anything else but actors, streams, fakes, "
        + "locks that call libc and what is declared"
  }

  /// The covered goal, worded for the middle of a sentence.
  package var goalText: String {
    switch self {
    case .everySchedule: "all schedules"
    case .deviations(0): "the natural order"
    case .deviations(1): "all schedules with at most 1 deviation"
    case .deviations(let most): "all schedules with at most \(most) deviations"
    case .everyBehavior: "all behaviors"
    case .stories(let bound):
      "every story on offer of at most \(bound.actions) \(bound.actions == 1 ? "action" : "actions"), \(bound.answers) other "
        + "\(bound.answers == 1 ? "answer" : "answers") of the world and \(bound.deviations) "
        + (bound.deviations == 1 ? "deviation" : "deviations")
    }
  }
}
