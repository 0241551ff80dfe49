internal import SimulatorCore
internal import SimulatorKernel

/// Runs schedules while one violation is shrunk, counts the cost, and remembers which schedules are not wanted.
///
/// The bounds are numbers of executions and of steps, so the result is the same on every machine. Steps are the cost of an
/// execution: if executions are short, more may run. The clock is a bound only for what takes very long; then it is reported.
struct Trials {
  private let runner: Runner
  private let seed: UInt64
  private let number: Int
  /// The invariant that is to be violated.
  let invariant: String
  /// True if the trials look for schedules that violate it, false if they look for schedules that do not.
  private let wantsViolation: Bool
  private let limit: Int
  private let stepLimit: Int
  private var unwanted: Set<Schedule> = []
  /// The number of executions that have run.
  private(set) var executions = 0
  private var steps = 0
  /// The number of these that took real time or memory. One that took several seconds counts as several.
  private var costly = 0
  private static let mostCostly = 12
  /// True if one took so long that each replay means waiting.
  private var isSlow = false
  /// A time far longer than an execution without computation takes, even on a slow machine.
  private static let longTime = Duration.seconds(1)
  /// The number of executions that took very many steps.
  private var long = 0
  private static let mostLong = 3
  /// The end of the allowed time; nil if there is none.
  private let timeLimit: TimeLimit?
  /// True if the time was over before anything else was spent.
  private(set) var isOutOfTime = false

  /// The mean number of steps of an execution up to which more than `limit` executions are allowed.
  private static let stepsAtTheLimit = 250

  /// Allows at most `limit` executions, or more for as long as all together have run at most `limit` times ``stepsAtTheLimit``
  /// steps. Allows none after `stepLimit` steps, or after `time`.
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

  /// True if executions take real time or memory.
  var isCostly: Bool { costly > 0 || isSlow }
  /// True if executions take very many steps.
  var isLong: Bool { long > 0 }

  /// The number of executions that may still run.
  var left: Int {
    if runner.isLate { return 0 }
    guard executions > 0 else { return limit }
    guard steps < stepLimit, costly < Self.mostCostly, long < Self.mostLong, !isOutOfTime, !runner.isToStop
    else { return 0 }
    let affordable = (limit * Self.stepsAtTheLimit - steps) / max(1, steps / executions)
    return max(0, limit - executions, affordable)
  }

  /// One schedule that was tried.
  struct Trial {
    let execution: Simulation.Execution
    /// The deviations that were really taken.
    let met: [MetDeviation]
    /// The natural next events wherever an anytime action could come.
    let moments: [Landmark.Natural]
    /// The violation of the invariant; nil if there was none.
    let violation: Invariant.Violation?
    /// True if it is what the trials look for.
    let isWanted: Bool

    var landmarks: [Landmark] { met.map(\.landmark) }

    var size: Size {
      Size(
        deviations: execution.schedule.deviations.count, step: violation?.step ?? .max,
        taken: execution.schedule.deviations.reduce(0) { $0 + $1.taken })
    }
  }

  /// The order of schedules: fewest deviations, then fewest steps up to the violation, then lowest options.
  struct Size: Comparable {
    let deviations: Int
    let step: Int
    let taken: Int

    static func < (a: Size, b: Size) -> Bool {
      (a.deviations, a.step, a.taken) < (b.deviations, b.step, b.taken)
    }
  }

  /// Runs `schedule`; nil if it is known not to be wanted, or if nothing is left to spend.
  mutating func replay(_ schedule: Schedule) -> Trial? {
    guard !unwanted.contains(schedule) else { return nil }
    return run(.positions(schedule))
  }

  /// Runs the schedule that `guide` leads to; nil if nothing is left to spend.
  mutating func run(_ guide: LandmarkReplay.Guide) -> Trial? {
    guard left > 0 else { return nil }
    let trial = observe(guide, keepingEvents: false)
    if !trial.isWanted {
      unwanted.insert(trial.execution.schedule)
      if case .positions(let schedule) = guide { unwanted.insert(schedule) }
    }
    return trial
  }

  /// Runs the schedule that `guide` leads to, whatever is left to spend.
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
    let took = begin.duration(to: .now)
    if took > Self.longTime { isSlow = true }
    costly += max(outcome.isCostly ? 1 : 0, Int(took / Self.longTime))
    if outcome.isLong { long += 1 }
    steps += execution.steps
    if let timeLimit, left > 0, timeLimit.isOver { isOutOfTime = true }
    if runner.isLate || isSlow && costly >= Self.mostCostly { isOutOfTime = true }
    let violation = execution.violations.first { $0.invariant == invariant }
    return Trial(
      execution: execution,
      met: replay.met.filter { $0.deviation.position < execution.choices.count },
      moments: replay.moments, violation: violation, isWanted: (violation != nil) == wantsViolation)
  }
}
