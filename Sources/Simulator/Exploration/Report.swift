extension Explorer {
  /// What an exploration found.
  public struct Report: Codable, Sendable {
    /// The name of what was explored.
    public let name: String
    /// What random choices were drawn from.
    public let seed: UInt64
    /// How many schedules were tried.
    public private(set) var schedules = 0
    /// How many of them violated something.
    public private(set) var failures = 0
    /// How many of them behaved differently: for each domain its steps in order, and each fake's calls; not the
    /// order of one domain's steps among another's. Counted up to 1,048,576.
    public var behaviours: Int { seen.count }
    /// What has been covered completely; nil if the budget ended first, or if it was never tried.
    public private(set) var coverage: Strategies.Coverage?
    /// How many schedules that took.
    public private(set) var coveredSchedules = 0
    /// What was to be covered completely, and was not.
    public private(set) var unfinished: Strategies.Coverage?
    /// Whether a time was met that is a range: see ``Strategies/Coverage/everySchedule``.
    public private(set) var metRange = false
    /// Whether a duration was chosen at once out of a range, by `choose(in:)`: then neither every schedule nor every
    /// behaviour is covered.
    public private(set) var choseAtOnce = false
    /// Whether values were observed while a step stood in its middle, so that nobody knew which step had changed them: then
    /// they were looked at no more, and nothing is covered.
    public private(set) var lookedAway = false
    /// How many random schedules have followed a search through all behaviours, to find what it lacks.
    public private(set) var sampled = 0
    /// Through what the program shares state that such a search does not follow, such as `NSLock`; nil if that was not seen.
    public private(set) var unseen: String?
    /// Whether one of them has shown something that the search lacks.
    public private(set) var contradiction = false
    /// The steps of all of them.
    public private(set) var steps = 0
    /// The first violation of each invariant, in the order found. Each has been replayed once.
    public private(set) var violations: [Invariant.Violation] = []
    /// At how many points a cancel that may come anywhere has come; nil if none may.
    public internal(set) var cancellations: Explorer.CancellationCoverage?
    /// What is no violation but worth knowing, each once:
    ///
    /// - a task is alive at the end, and nothing proves that it will never go on: it waits for an element of a source that
    ///   lives, for an unsafe continuation, or it still runs;
    /// - the program polls until a timer brings what it waits for;
    /// - what was cancelled at the end of an execution has ended its process.
    ///
    /// A violation it is that a task was cancelled and nothing is left in the execution that could wake it, that nobody
    /// holds its checked continuation any more (``Invariant/BuiltIn/nothingLeaks``), or that the root waits for ever
    /// (``Invariant/BuiltIn/deadlock``). Scenario files, and ``Simulation/Options/outlivingIsViolation``, make a violation of
    /// every task that is alive at the end.
    public private(set) var warnings: [String] = []
    /// Why the search ended although something was left to try and to find; nil if it did not.
    public internal(set) var interruption: Interruption?
    /// In which processes the executions ran that this is about.
    public internal(set) var processes = Explorer.Processes.one(why: nil)
    /// From where the fresh processes are copies.
    package internal(set) var freshOrigin = Invariant.Violation.FreshOrigin.search
    /// Whether executions were seen to depend on what earlier ones in their process left behind.
    public internal(set) var keepsState = false
    /// The same, where each execution had a process of its own for it.
    package internal(set) var wouldKeepState = false
    /// Whether the search ended because a schedule does something else in a fresh process: see
    /// ``Explorer/comparesWithFresh``.
    package internal(set) var isToBeMadeFresh = false
    /// Whether a schedule took real time or memory to judge.
    package internal(set) var wasCostly = false
    /// The invariants whose monitors have never had anything to judge.
    public private(set) var vacuous: Set<String>?

    /// What is to happen in at least one schedule, and whether it has: `Simulation.sometimes(_:_:)`.
    public private(set) var occurrences: [String: Bool] = [:]
    /// How many schedules ended at the limit of virtual time in a way from which nothing can be concluded: the body had not
    /// returned, and may have waited for an action that may happen at any time and had not happened.
    public private(set) var unjudged = 0
    /// What a passing test should say.
    package var advice = Explorer.Advice()

    /// Whether schedules were left out in which a task that can run is passed over again and again while another yields,
    /// or in which time moves while tasks only poll.
    public private(set) var leftUnfairOut = false

    /// Whether steps could be left in their middle: ``Simulation/Options/Steps/overlapping``.
    public internal(set) var overlaps = false

    /// The behaviours that a shard has told apart; nil for a search that is not divided.
    package private(set) var digests: BehaviourDigests?

    /// How many behaviours were known after 1, 2, 4, 8, … schedules.
    package private(set) var growth: [Int] = []

    private var seen = BehaviourCounts()
    private var independent = BehaviourCounts()

    /// Why a search ended before its time.
    public enum Interruption: String, Hashable, Codable, Sendable {
      /// It was told to.
      case stopped
      /// The real time was over that it may take.
      case outOfTime
      /// Too many of its schedules hang, have no end, or use up the memory.
      case tooCostly
      /// Its processes were ended by something that no schedule shows again.
      case notJudged
    }

    init(name: String, seed: UInt64, triedBefore schedules: Int = 0) {
      self.name = name
      self.seed = seed
      self.schedules = schedules
    }

    /// Whether nothing was violated, and all has happened that is to happen in some schedule. A search that was stopped before
    /// its first schedule has tested nothing: nothing holds by it.
    public var holds: Bool {
      violations.isEmpty && schedules > unjudged && neverHappened.isEmpty && !hasEndedNone
    }

    /// Whether its time was over before any of its schedules had ended.
    package var hasEndedNone: Bool {
      violations.isEmpty && interruption == .outOfTime && behaviours == 0 && schedules <= 1
    }

    /// What is to happen in at least one schedule and has in none of them, sorted; none where something was violated: such a
    /// search ends before it has seen all.
    public var neverHappened: [String] {
      guard violations.isEmpty, schedules > 0 else { return [] }
      return occurrences.filter { !$0.value }.keys.sorted()
    }

    /// Whether a violation of `invariant` is among ``violations``.
    public func hasViolation(of invariant: String) -> Bool {
      violations.contains { $0.invariant == invariant }
    }

    mutating func count(_ outcome: Runner.Outcome) {
      schedules += 1
      steps += outcome.summary.steps
      if outcome.summary.violated { failures += 1 }
      if outcome.isUnjudged { unjudged += 1 }
      if outcome.leftUnfairOut { leftUnfairOut = true }
      if unseen == nil { unseen = outcome.unseen }
      if outcome.keptWhole { overlaps = false }
      if outcome.lookedAway { lookedAway = true }
      if outcome.summary.metRange { metRange = true }
      if outcome.summary.choseAtOnce { choseAtOnce = true }
      seen.count(outcome.summary.behaviour)
      if schedules & (schedules - 1) == 0 { growth.append(seen.count) }
      if outcome.isIndependent { independent.count(outcome.summary.behaviour) }
      if warnings.count < 10 {
        for warning in outcome.warnings where !warnings.contains(warning) { warnings.append(warning) }
      }
      for (name, hasHappened) in outcome.occurrences {
        occurrences[name] = hasHappened || occurrences[name] == true
      }
      if let unjudged = outcome.vacuous {
        if vacuous == nil {
          vacuous = Set(unjudged)
        } else if vacuous?.isEmpty == false {
          vacuous?.formIntersection(unjudged)
        }
      }
    }

    /// How likely the next random schedule is to behave as none before: the share of those drawn so far, each
    /// without regard to the others, that behaved as no other of them did (Good: The Population Frequencies of
    /// Species and the Estimation of Population Parameters, Biometrika 40, 1953). Nil without random schedules.
    public var goodTuringEstimate: Explorer.Ratio? {
      independent.total > 0 ? Explorer.Ratio(count: independent.singles, total: independent.total) : nil
    }

    /// A strategy has come to its end, or to the end of the budget. What is nondeterministic is never covered.
    mutating func covered(
      _ coverage: Strategies.Coverage?, schedules: Int, of goal: Strategies.Coverage?, leftUnfairOut: Bool
    ) {
      guard let goal else { return }
      // Which orders come to the same is not known where fairness took some away.
      let isProved =
        (coverage != .everyBehaviour || !leftUnfairOut && !contradiction && unseen == nil)
        && !(choseAtOnce && coverage?.isComplete == true) && !lookedAway && unjudged == 0
      if let coverage, isProved, !hasViolation(of: Invariant.BuiltIn.nondeterminism),
        !hasViolation(of: Invariant.BuiltIn.escape)
      {
        self.coverage = coverage
        coveredSchedules = schedules
      } else {
        unfinished = goal
      }
    }

    /// From here on steps may overlap. What was covered before is not claimed.
    mutating func raised() {
      overlaps = true
      coverage = nil
      coveredSchedules = 0
      unfinished = nil
      sampled = 0
      contradiction = false
      unseen = nil
      cancellations = nil
    }

    /// A random schedule has followed a search through all behaviours.
    mutating func sampled(showsMore: Bool) {
      sampled += 1
      if showsMore { contradiction = true }
    }

    /// Keeps what it takes to unite the behaviours with those of other shards.
    mutating func keepDigests() { digests = BehaviourDigests(seen, samples: independent) }

    mutating func warn(_ warning: String) {
      if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// A process in which nothing of the program had run has shown the violations too.
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
