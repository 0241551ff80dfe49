public import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

extension Explorer {
  /// The findings of an exploration.
  public struct Report: Codable, Sendable {
    /// The name of what was explored.
    public let name: String
    /// The seed of the random choices.
    public let seed: UInt64
    /// The number of schedules that were tried.
    public private(set) var schedules = 0
    /// The number of these that violated something.
    public private(set) var failures = 0
    /// The number of different behaviors among them. A behavior is, for each domain, its steps in order, and each fake's calls;
    /// it is not the order of one domain's steps relative to another's. Counted up to 1,048,576.
    public var behaviors: Int { seen.count }
    /// The coverage that is complete; nil if the budget ended first, or if none was tried for.
    public private(set) var coverage: Strategies.Coverage?
    /// The number of schedules that ``coverage`` took.
    public private(set) var coveredSchedules = 0
    /// The coverage that was tried for and not completed.
    public private(set) var incompleteCoverage: Strategies.Coverage?
    /// True if a time was met that is a range: see ``Strategies/Coverage/everySchedule``.
    public private(set) var hasTimeRanges = false
    /// True if `choose(in:)` chose a duration out of a range at once. Then neither every schedule nor every behavior is
    /// covered.
    public private(set) var choseDurationEagerly = false
    /// True if the program asked for random numbers. What is covered is then covered for one draw of them; random schedules
    /// draw others.
    public private(set) var drewNumbers = false
    /// True if loads of atomics could answer older stores: see ``Simulation/Options/Memory``.
    public internal(set) var hasWeakMemory = false
    /// True if values were observed while a step was parked, when there is no telling which step changed them. From then on
    /// they are no longer looked at, and nothing is covered.
    public private(set) var stoppedObserving = false
    /// The number of random schedules that followed a search through all behaviors, to find what it lacks.
    public private(set) var sampledSchedules = 0
    /// The means by which the program shares state that such a search does not follow, such as `NSLock`; nil if none was seen.
    public private(set) var untrackedSharing: String?
    /// True if one of these random schedules showed something that the search lacks.
    public private(set) var contradictsCoverage = false
    /// The number of steps of all schedules.
    public private(set) var steps = 0
    /// The first violation of each invariant, in the order found. Each has been replayed once.
    public private(set) var violations: [Invariant.Violation] = []
    /// The suspension points at which a cancel has come; nil if none may: see ``Simulation/cancelAnywhere(_:_:)``.
    public internal(set) var cancellations: Explorer.CancellationCoverage?
    /// Facts that are worth knowing but are no violation, each once:
    ///
    /// - a task is alive at the end, and nothing proves that it will never go on: it waits for an element of a source that is
    ///   alive, it waits for an unsafe continuation, or it still runs;
    /// - the program polls until a timer brings what it waits for;
    /// - something that was canceled at the end of an execution has ended its process.
    ///
    /// It is a violation if a task was canceled and nothing left in the execution could wake it, if nothing holds a task's
    /// checked continuation any longer (``Invariant/BuiltIn/nothingLeaks``), or if the root waits forever
    /// (``Invariant/BuiltIn/deadlock``). Scenario files, and ``Simulation/Options/forbidsOutlivingTasks``, make every task that
    /// is alive at the end a violation.
    public private(set) var warnings: [String] = []
    /// The reason why the search ended with something left to try and to find; nil if it did not.
    public internal(set) var interruption: Interruption?
    /// The processes in which the reported executions ran.
    public internal(set) var processes = Explorer.Processes.one(why: nil)
    /// The origin of the fresh processes, which are copies.
    package internal(set) var freshOrigin = Invariant.Violation.FreshOrigin.search
    /// True if executions were seen to depend on what earlier ones in their process left behind.
    public internal(set) var keepsState = false
    /// True if executions would depend on what earlier ones leave behind, and each had a process of its own for that reason.
    package internal(set) var wouldKeepState = false
    /// True if the search ended because a schedule does something else in a fresh process: see
    /// ``Explorer/comparesWithFresh``.
    package internal(set) var isToBeMadeFresh = false
    /// True if a schedule took real time or memory to judge.
    package internal(set) var wasCostly = false
    /// The invariants whose monitors never had anything to judge.
    public private(set) var vacuousInvariants: Set<String>?

    /// The events that should happen in at least one schedule, each with true if it has: `Simulation.sometimes(_:_:)`.
    public private(set) var occurrences: [String: Bool] = [:]
    /// The number of schedules that ended at the limit of virtual time in a way that allows no conclusion: the body had not
    /// returned, and may have waited for an action that may happen at any time and had not happened.
    public private(set) var unjudgedSchedules = 0
    /// The advice about a search that violates nothing.
    package var advice = Explorer.Advice()

    /// True if schedules were left out in which a task that can run is passed over again and again while another yields, or in
    /// which time moves while tasks only poll.
    public private(set) var skippedUnfairSchedules = false

    /// The pairs of ends of timers, at least one of them a range, that no schedule has brought together; nil if there is
    /// none, or if something was violated.
    public private(set) var untriedPairs: Explorer.UntriedPairs?

    /// True if steps were preemptible: ``Simulation/Options/Steps/preemptible``.
    public internal(set) var hasPreemptibleSteps = false

    /// The different behaviors that a shard has shown; nil for a search that is not divided.
    package private(set) var digests: BehaviorDigests?
    /// All pairs of ends that a shard has shown; nil for a search that is not divided.
    package private(set) var pairs: TimerPairs?

    /// The number of behaviors known after 1, 2, 4, 8, … schedules.
    package private(set) var growth: [Int] = []

    private var seen = BehaviorCounts()
    private var independent = BehaviorCounts()

    /// The reason why a search ended before its time.
    public enum Interruption: String, Hashable, Codable, CaseIterable, Sendable {
      /// It was asked to.
      case stopped
      /// The real time that it may take was over.
      case outOfTime = "out-of-time"
      /// Too many of its schedules hang, have no end, or use up the memory.
      case tooCostly = "too-costly"
      /// Its processes were ended by something that no schedule shows again.
      case notJudged = "not-judged"
    }

    init(name: String, seed: UInt64, triedBefore schedules: Int = 0) {
      self.name = name
      self.seed = seed
      self.schedules = schedules
    }

    /// True if nothing was violated, and everything has happened that should happen in some schedule. False if the search was
    /// stopped before its first schedule: it has tested nothing.
    public var holds: Bool {
      violations.isEmpty && schedules > unjudgedSchedules && neverHappened.isEmpty && !hasEndedNone
    }

    /// True if the time was over before any of the schedules had ended.
    package var hasEndedNone: Bool {
      violations.isEmpty && interruption == .outOfTime && behaviors == 0 && schedules <= 1
    }

    /// The events that should happen in at least one schedule and have happened in none, sorted. Empty if something was
    /// violated, because such a search ends before it has seen everything.
    public var neverHappened: [String] {
      guard violations.isEmpty, schedules > 0 else { return [] }
      return occurrences.filter { !$0.value }.keys.sorted()
    }

    /// Returns true if a violation of `invariant` is among ``violations``.
    public func hasViolation(of invariant: String) -> Bool {
      violations.contains { $0.invariant == invariant }
    }

    mutating func count(_ outcome: Runner.Outcome) {
      schedules += 1
      steps += outcome.summary.steps
      if outcome.summary.violated { failures += 1 }
      if outcome.isUnjudged { unjudgedSchedules += 1 }
      if outcome.skippedUnfairSchedules { skippedUnfairSchedules = true }
      if untrackedSharing == nil { untrackedSharing = outcome.unseen }
      if outcome.keptWhole { hasPreemptibleSteps = false }
      if outcome.stoppedObserving { stoppedObserving = true }
      if outcome.summary.hasTimeRanges { hasTimeRanges = true }
      if outcome.summary.choseDurationEagerly { choseDurationEagerly = true }
      if outcome.summary.drewNumbers { drewNumbers = true }
      seen.count(outcome.summary.behavior)
      if schedules & (schedules - 1) == 0 { growth.append(seen.count) }
      if outcome.isIndependent { independent.count(outcome.summary.behavior) }
      if warnings.count < 10 {
        for warning in outcome.warnings where !warnings.contains(warning) { warnings.append(warning) }
      }
      for (name, hasHappened) in outcome.occurrences {
        occurrences[name] = hasHappened || occurrences[name] == true
      }
      if let vacuous = outcome.vacuous {
        if vacuousInvariants == nil {
          vacuousInvariants = Set(vacuous)
        } else if vacuousInvariants?.isEmpty == false {
          vacuousInvariants?.formIntersection(vacuous)
        }
      }
    }

    /// The probability that the next random schedule behaves like none before, estimated as the share of independently
    /// generated schedules so far that behaved like no other of them (Good: The Population Frequencies of Species and the
    /// Estimation of Population Parameters, Biometrika 40, 1953). Nil without random schedules.
    public var goodTuringEstimate: Explorer.Ratio? {
      independent.total > 0 ? Explorer.Ratio(count: independent.singles, total: independent.total) : nil
    }

    /// Notes what a strategy has covered when it or the budget has come to an end. Nondeterminism is never covered.
    mutating func covered(
      _ coverage: Strategies.Coverage?, schedules: Int, of goal: Strategies.Coverage?,
      skippedUnfairSchedules: Bool
    ) {
      guard let goal else { return }
      // If fairness left some orders out, there is no telling which orders are equivalent.
      let isProved =
        (coverage != .everyBehavior
          || !skippedUnfairSchedules && !contradictsCoverage && untrackedSharing == nil)
        && !(choseDurationEagerly && coverage?.isComplete == true) && !stoppedObserving
        && unjudgedSchedules == 0
      if let coverage, isProved, !hasViolation(of: Invariant.BuiltIn.nondeterminism),
        !hasViolation(of: Invariant.BuiltIn.escape)
      {
        self.coverage = coverage
        coveredSchedules = schedules
      } else {
        incompleteCoverage = goal
      }
    }

    /// Notes that steps are preemptible from here on. Earlier coverage is not claimed.
    mutating func raised() {
      hasPreemptibleSteps = true
      coverage = nil
      coveredSchedules = 0
      incompleteCoverage = nil
      sampledSchedules = 0
      contradictsCoverage = false
      untrackedSharing = nil
      cancellations = nil
    }

    /// Notes that a random schedule has followed a search through all behaviors.
    mutating func sampled(showsMore: Bool) {
      sampledSchedules += 1
      if showsMore { contradictsCoverage = true }
    }

    /// Notes the pairs of ends that the search has shown. That of a shard keeps the data needed to unite its pairs and its
    /// behaviors with those of other shards.
    mutating func ended(with shown: EndPairs, isShard: Bool) {
      let all = TimerPairs(shown)
      if violations.isEmpty { untriedPairs = all.untried }
      guard isShard else { return }
      (digests, pairs) = (BehaviorDigests(seen, samples: independent), all)
    }

    mutating func warn(_ warning: String) {
      if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Notes that a process in which nothing of the program had run has shown the violations too.
    package mutating func confirmedByFreshProcess() {
      for index in violations.indices where violations[index].freshReplay != .notShown {
        violations[index].freshReplay = .shown
        violations[index].freshOrigin = .program
      }
    }

    /// Adds `remark` to the message of the violation of `invariant`.
    mutating func note(kept remark: String, in invariant: String) {
      guard let index = violations.firstIndex(where: { $0.invariant == invariant }) else { return }
      violations[index].message = "\(remark): \(violations[index].message)"
    }

    mutating func add(_ violation: Invariant.Violation) {
      guard !hasViolation(of: violation.invariant) else { return }
      violations.append(violation)
      violations[violations.count - 1].freshOrigin = freshOrigin
    }
  }
}
