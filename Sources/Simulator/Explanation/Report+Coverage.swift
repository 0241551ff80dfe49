package import SimulatorCore
internal import SimulatorKernel

extension Explorer.Report {
  /// How much was tried: what was covered completely, if anything; otherwise the estimates that the tried schedules
  /// allow.
  public var coverageText: String {
    var parts: [String] = []
    if let coveredText { parts.append(coveredText) }
    if let shortfall { parts.append(shortfall) }
    if overlaps, coverage?.isComplete != true { parts.append("steps overlapped") }
    if coverage != .everySchedule { parts += estimates }
    return parts.joined(separator: "; ")
  }

  /// A sentence part that names what was covered completely; nil if nothing was.
  public var coveredText: String? {
    coverage.map { coverage in
      let text = coverage.text(schedules: coveredSchedules, fair: leftUnfairOut, overlapping: overlaps)
      let times =
        metRange && coverage != .deviations(atMost: 0)
        ? ", ranges of time ending at either end or where time stops" : ""
      let sample =
        coverage == .everyBehavior && sampled > 0
        ? "; \(sampled.grouped) random schedules showed no other" : ""
      return text + times + (keepsState ? Self.keepingState : "") + sample
    }
  }

  /// The limit of a search in one process when executions depend on earlier ones.
  private static let keepingState = ", of a process that had run the program before, which is not a fresh one"

  /// The goal that was to be covered completely and was not; nil if there is none.
  public var shortfall: String? {
    unfinished.map { "not \($0.goalText): \(reason(for: $0))" }
  }

  /// The advice for covering the goal; nil if nothing was left open.
  package var remedy: String? {
    guard let goal = unfinished else { return nil }
    let isReduced = goal == .everyBehavior
    if lookedAway {
      return "observe values before the first task is made, and take no lock across an `await`"
    }
    if isReduced, !contradiction, unseen == "`escalatePriority`" {
      return "search by another strategy"
    }
    if isReduced, contradiction || unseen != nil {
      return "declare each access by `Simulation.access`, or search by another strategy"
    }
    if choseAtOnce, goal.isComplete {
      return "wait by `Simulation.sleep(in:)`, or name the durations by `choose(among:)`"
    }
    if isReduced, leftUnfairOut { return "let tasks await what they poll for, or search by another strategy" }
    return "raise `schedules`"
  }

  /// Returns the reason that the goal was not covered.
  private func reason(for goal: Strategies.Coverage) -> String {
    let isReduced = goal == .everyBehavior
    if lookedAway {
      return
        "values were observed while a step stood in its middle: which step had changed them was not known, so they were "
        + "looked at no more"
    }
    if isReduced, contradiction {
      return
        "a random schedule showed a behavior that the reduction lacks: state is shared through something that the "
        + "simulator does not see"
    }
    if isReduced, let unseen {
      return "state is shared through \(unseen), which the reduction does not follow"
    }
    if choseAtOnce, goal.isComplete {
      return "`choose(in:)` must answer at once, and tries only some durations of its range"
    }
    if isReduced, leftUnfairOut {
      return "tasks yield again and again, so unfair schedules were left out"
    }
    return "the search ended before that"
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

extension Strategies.Coverage {
  func text(schedules: Int, fair: Bool, overlapping: Bool = false) -> String {
    switch self {
    case .everySchedule:
      "all \(schedules.grouped)\(fair ? " fair" : "") schedules "
        + "\(overlapping ? "in which \(Self.overlap(seesMutexes: Simulation.followsMutexes))," : "of whole steps") explored"
    case .deviations, .stories: "\(goalText) explored (\(schedules.grouped)\(fair ? ", only fair ones" : ""))"
    case .everyBehavior where overlapping:
      "\(goalText) explored, in \(schedules.grouped) schedules in which \(Self.overlap(seesMutexes: false)), \(Self.notFollowed)"
    case .everyBehavior:
      "\(goalText) of whole steps explored, in \(schedules.grouped) schedules, unless state is shared through `Mutex`, "
        + "`Atomic`, a `weak` reference or anything else but actors, streams, fakes and what is declared"
    }
  }

  private static func overlap(seesMutexes: Bool) -> String {
    if Simulation.followsAtomics {
      return
        "a step is left only where it sets something free, comes to an atomic, opens the last lock that it holds, or waits"
    }
    let mutexes = seesMutexes ? "comes to a `Mutex` after or within another use of one, " : ""
    return
      "a step is left only where it sets something free, opens the last `NSLock` or `pthread_mutex` that it holds, "
      + mutexes + "or waits"
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
