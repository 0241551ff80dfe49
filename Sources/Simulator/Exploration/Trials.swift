/// Runs schedules while one violation is made smaller, counts what that costs and remembers what passed.
///
/// Bounded by numbers of executions and of steps: what comes out is the same on every machine. Steps are what an execution
/// costs: of short executions more may run. The clock is a bound only for what takes very long, and then it is told.
struct Trials {
  private let runner: Runner
  private let seed: UInt64
  private let number: Int
  /// The invariant that is to be violated.
  let invariant: String
  /// Whether schedules are looked for that violate it, or that do not.
  private let wantsViolation: Bool
  private let limit: Int
  private let stepLimit: Int
  private var unwanted: Set<Schedule> = []
  /// How many executions have run.
  private(set) var executions = 0
  private var steps = 0
  /// How many of them took real time or memory.
  private var costly = 0
  private static let mostCostly = 12
  /// Whether one took so long that each replay is waited for.
  private var isSlow = false
  /// Far more than an execution takes that computes nothing, on a slow machine too.
  private static let longTime = Duration.seconds(1)
  /// How many of them took very many steps.
  private var long = 0
  private static let mostLong = 3
  /// When the time is over; nil if there is none.
  private let timeLimit: TimeLimit?
  /// Whether the time was over before anything else was spent.
  private(set) var isOutOfTime = false

  /// How many steps an execution may have on the mean before more than `limit` of them are no longer allowed.
  private static let stepsAtTheLimit = 250

  /// At most `limit` executions, or as many more as have run ``stepsAtTheLimit`` times as many steps; and none when they have
  /// run `stepLimit` steps, or after `time`.
  init(
    _ runner: Runner, invariant: String, number: Int, seed: UInt64, limit: Int, stepLimit: Int = 5_000_000,
    time: Duration? = nil, wantsViolation: Bool = true
  ) {
    self.runner = runner
    self.invariant = invariant
    self.number = number
    self.seed = seed
    self.limit = limit
    self.wantsViolation = wantsViolation
    self.stepLimit = stepLimit
    timeLimit = time.map { TimeLimit($0) }
  }

  /// Whether executions take real time or memory.
  var isCostly: Bool { costly > 0 || isSlow }
  /// Whether executions take very many steps.
  var isLong: Bool { long > 0 }

  /// How many executions may still run.
  var left: Int {
    if runner.isLate { return 0 }
    guard executions > 0 else { return limit }
    guard steps < stepLimit, costly < Self.mostCostly, long < Self.mostLong, !isOutOfTime, !runner.isToStop
    else { return 0 }
    let affordable = (limit * Self.stepsAtTheLimit - steps) / max(1, steps / executions)
    return max(0, limit - executions, affordable)
  }

  /// One schedule, tried.
  struct Trial {
    let execution: Simulation.Execution
    /// The deviations that were really taken.
    let met: [MetDeviation]
    /// What would have come by nature wherever an anytime action could come.
    let moments: [Landmark.Natural]
    /// How the invariant was violated; nil if it was not.
    let violation: Invariant.Violation?
    /// Whether it is what is looked for.
    let isWanted: Bool

    var landmarks: [Landmark] { met.map(\.landmark) }

    var size: Size {
      Size(
        deviations: execution.schedule.deviations.count, step: violation?.step ?? .max,
        taken: execution.schedule.deviations.reduce(0) { $0 + $1.taken })
    }
  }

  /// Fewest deviations, then the fewest steps up to the violation, then the lowest options.
  struct Size: Comparable {
    let deviations: Int
    let step: Int
    let taken: Int

    static func < (a: Size, b: Size) -> Bool {
      (a.deviations, a.step, a.taken) < (b.deviations, b.step, b.taken)
    }
  }

  /// Runs `schedule`; nil when it is known not to be wanted or nothing is left to spend.
  mutating func replay(_ schedule: Schedule) -> Trial? {
    guard !unwanted.contains(schedule) else { return nil }
    return run(.positions(schedule))
  }

  /// Runs what `guide` leads to; nil when nothing is left to spend.
  mutating func run(_ guide: LandmarkReplay.Guide) -> Trial? {
    guard left > 0 else { return nil }
    let trial = observe(guide, keepingEvents: false)
    if !trial.isWanted {
      unwanted.insert(trial.execution.schedule)
      if case .positions(let schedule) = guide { unwanted.insert(schedule) }
    }
    return trial
  }

  /// Runs what `guide` leads to, whatever is left to spend.
  mutating func observe(_ guide: LandmarkReplay.Guide, keepingEvents: Bool) -> Trial {
    runner.describesAll = true
    defer { runner.describesAll = false }
    let begin = ContinuousClock.now
    let (outcome, replay) = runner.with(LandmarkReplay(guide)) {
      runner.execute(number, seed: seed, keepingEvents: keepingEvents)
    }
    guard let execution = outcome.execution else {
      preconditionFailure("an execution is described when all are")
    }
    executions += 1
    if outcome.isCostly { costly += 1 }
    if begin.duration(to: .now) > Self.longTime { isSlow = true }
    if outcome.isLong { long += 1 }
    steps += execution.steps
    if let timeLimit, left > 0, timeLimit.isOver { isOutOfTime = true }
    if runner.isLate { isOutOfTime = true }
    let violation = execution.violations.first { $0.invariant == invariant }
    return Trial(
      execution: execution,
      met: replay.met.filter { $0.deviation.position < execution.choices.count },
      moments: replay.moments, violation: violation, isWanted: (violation != nil) == wantsViolation)
  }
}
