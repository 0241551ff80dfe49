internal import CConcurrencyHooks

/// Runs executions of one body, one after the other, on one scheduler.
final class Runner {
  typealias Body = @Sendable (Simulation) async throws -> Void

  private let scheduler: Scheduler
  private let simulation: Simulation
  private let options: ExecutionOptions
  private let body: Body
  private var patience: Int64

  init(options: ExecutionOptions, body: @escaping Body) {
    scheduler = Scheduler(strategy: NaturalOrder())
    simulation = Simulation(scheduler)
    scheduler.handle = simulation
    self.options = options
    self.body = body
    patience = options.patience.wholeNanoseconds
  }

  /// Replaces the strategy, and gives back what the last one has become.
  var strategy: any Strategy {
    get { scheduler.chooser.current }
    set { scheduler.chooser.current = newValue }
  }

  /// Runs execution `number`. With `keepingEvents` its trace holds every event, and nothing is spared to make sure
  /// of its verdict.
  func execute(_ number: Int, seed: UInt64, keepingEvents: Bool) -> Execution {
    scheduler.chooser.begin(number, seed: seed)
    scheduler.witness.begin(keepingEvents: keepingEvents)
    let limits = Limits(
      time: options.timeLimit.wholeNanoseconds, stepsAtOneInstant: options.stepsAtOneInstant,
      patience: keepingEvents ? options.patience.wholeNanoseconds : patience)
    let thrown = Thrown()
    let ending = scheduler.run(limits: limits) { start(thrown) }
    if ending == .deadlock, scheduler.jobsFromOutside == 0 { patience = 0 }
    let warnings = judge(ending, thrown)
    let execution = result(number, ending, warnings, keepingEvents: keepingEvents)
    scheduler.witness.mute()
    scheduler.tearDown()
    scheduler.chooser.end(
      ExecutionSummary(
        choices: execution.choices.count, orderChoices: scheduler.chooser.orderChoices, steps: execution.steps,
        violated: !execution.violations.isEmpty, digest: execution.trace.digest))
    return execution
  }

  private func start(_ thrown: Thrown) {
    let body = body
    let simulation = simulation
    Task {
      do { try await body(simulation) } catch { thrown.error = error }
    }
  }

  /// What the root threw. Only the simulation's thread reaches it.
  private final class Thrown: @unchecked Sendable {
    // @unchecked Sendable because the root writes it inside the execution and the runner reads it after.
    var error: (any Error)?
  }

  private func judge(_ ending: Ending, _ thrown: Thrown) -> [String] {
    let witness = scheduler.witness
    if let error = thrown.error { witness.violated(BuiltIn.throws, "the body threw \(error)", scheduler) }
    if scheduler.jobsFromOutside > 0 {
      witness.violated(
        BuiltIn.escape,
        "\(scheduler.jobsFromOutside) job(s) came back from a thread that the simulation does not control",
        scheduler)
    }
    switch ending {
    case .finished, .timeLimit: return judgeLiving(ending)
    case .deadlock:
      witness.violated(BuiltIn.deadlock, "nothing can run: " + describeLiving(), scheduler)
    case .livelock:
      witness.violated(
        BuiltIn.livelock,
        "\(options.stepsAtOneInstant) steps ran at \(VirtualInstant(nanoseconds: scheduler.now)) "
          + "and time did not move",
        scheduler)
    }
    return []
  }

  private func judgeLiving(_ ending: Ending) -> [String] {
    guard scheduler.tasks.alive > 0 else { return [] }
    let when = ending == .timeLimit ? "at the time limit of \(options.timeLimit.shortText)" : "at the end"
    let message = "alive \(when): " + describeLiving()
    guard options.outlivingIsViolation else { return [message] }
    scheduler.witness.violated(BuiltIn.nothingOutlives, message, scheduler)
    return []
  }

  private func describeLiving() -> String {
    let living = scheduler.tasks.living
    let shown = living.prefix(8).map { scheduler.describeWait(of: $0) }
    let more = living.count > 8 ? ["and \(living.count - 8) more"] : []
    return (shown + more).joined(separator: "; ")
  }

  private func result(
    _ number: Int, _ ending: Ending, _ warnings: [String], keepingEvents: Bool
  ) -> Execution {
    let schedule = scheduler.chooser.tape.schedule
    let trace =
      keepingEvents
      ? scheduler.witness.trace(scheduler)
      : Trace(events: [], domains: [], tasks: [], digest: scheduler.digest)
    let token = ScheduleToken(schedule: schedule, digest: trace.shortDigest)
    return Execution(
      schedule: schedule, choices: Array(scheduler.chooser.tape.choices), ending: ending.public,
      violations: scheduler.witness.findings.map {
        Violation(
          invariant: $0.invariant, message: $0.message, time: $0.time, step: $0.step, number: number, token: token,
          trace: trace)
      },
      warnings: warnings, trace: trace, steps: scheduler.steps,
      end: VirtualInstant(nanoseconds: scheduler.now), vacuous: scheduler.witness.vacuous)
  }
}

extension Ending {
  var `public`: Execution.Ending {
    switch self {
    case .finished: .finished
    case .timeLimit: .timeLimit
    case .deadlock: .deadlock
    case .livelock: .livelock
    }
  }
}
