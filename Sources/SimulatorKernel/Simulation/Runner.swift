internal import CConcurrencyHooks
package import SimulatorCore
package import SimulatorStrategyInterface

/// Runs executions of one body, one after another, on one scheduler.
package final class Runner {
  package typealias Body = @Sendable (Simulation) async throws -> Void

  let scheduler: Scheduler
  private let simulation: Simulation
  package let options: Simulation.Options
  private let body: Body
  /// The number of steps from which a livelock took real time to recognize.
  package static let manySteps = 100_000
  private var patience: Int64
  let thrown = Thrown()
  package let recorder: FlightRecorder
  private let forecast: (any CrashForecast)?
  private(set) var keepsEvents = false
  /// True if the last execution offered to cancel a task wherever it is suspended.
  package var offersCancels = false
  /// The children that run executions if each must have a process of its own; nil if they run in this process.
  package var children: (any ChildProcesses)?
  /// The state that a child hands over besides its execution.
  package var childPayload: ChildPayload?
  /// The choices of the last execution, if that ran in a child.
  var choicesElsewhere: [Schedule.Choice]?
  /// The pairs of ends of timers that the executions have shown.
  package private(set) var endPairs = EndPairs()
  /// True if every execution is described, even one that violated nothing and whose events are not kept.
  package var describesAll = false

  init(
    options: Simulation.Options, recorder: FlightRecorder = FlightRecorder(),
    forecast: (any CrashForecast)? = nil,
    body: @escaping Body
  ) {
    self.recorder = recorder
    self.forecast = forecast
    scheduler = Scheduler(recorder: recorder)
    simulation = Simulation(scheduler)
    scheduler.handle = simulation
    self.options = options
    self.body = body
    overlaps = options.steps == .preemptible
    patience = options.foreignThreadTimeout.wholeNanoseconds
  }

  /// Returns a runner for callers. Refuses, in one sentence, if the runtime is not under control.
  package static func verified(
    options: Simulation.Options, recorder: FlightRecorder = FlightRecorder(),
    forecast: (any CrashForecast)? = nil,
    body: @escaping Body
  ) -> Runner {
    guard Simulation.current == nil else {
      // A mistake in the code of the test: the inner simulation cannot take over a runtime that the outer one holds.
      fatalError(
        "a simulation cannot run inside a simulation; explore, simulate and replay are called from outside")
    }
    options.refuseMeaningless()
    // Without control of the runtime, no result would be true.
    if let fault = RuntimeControl.fault { fatalError(fault.description) }
    return Runner(options: options, recorder: recorder, forecast: forecast, body: body)
  }

  /// True if steps are preemptible.
  package var overlaps: Bool
  /// True if tasks share something that only overlapping can show, in an execution in which steps were atomic.
  package private(set) var needsOverlap = false

  /// True if an execution ends after ``manySteps`` at one instant: enough to see that it takes long, not enough to
  /// judge it.
  package var isBrief = false

  /// The places at which a step may be preempted before it accesses memory.
  package var accessPoints: [Schedule.CodePoint] = []
  var sought: SoughtAccess?

  /// The instant at which each read of a clock is a nanosecond later than the one before; nil if there is none.
  package var spacedInstant: VirtualInstant?
  /// The number of times that the last execution read a clock at ``spacedInstant``.
  package var spacedReads: Int { Int(unsafe scheduler.hooks.pointee.execution.spaced_reads) }

  /// Notes that no execution follows. A scheduler may outlive this: abandoned steps keep what they used.
  package func end() {
    forecast?.end()
    scheduler.inbox.close()
  }

  /// Every decision of the last execution.
  package var choices: [Schedule.Choice] { choicesElsewhere ?? scheduler.chooser.tape.choices }

  /// The schedule that leads to the last execution.
  package var schedule: Schedule {
    Schedule(choices: choices, hasPreemptibleSteps: overlaps, accessPoints: accessPoints)
  }

  /// True if the last execution abandoned a step, because that step waits for another thread forever.
  package var hasLeftStep: Bool { scheduler.hasLeftStep }

  /// True if an execution was stopped because the permitted time was over.
  package private(set) var wasCutShort = false

  /// The reason why executions are not isolated although they were meant to be; nil if they are.
  package var refusal: String? { forecast?.refusal }

  /// Lets `strategy` decide in the executions that `body` runs. Returns the result of `body`, and the strategy as it is
  /// afterwards.
  package func with<Chosen: SchedulingStrategy, Result>(
    _ strategy: Chosen, _ body: () -> Result
  ) -> (result: Result, strategy: Chosen) { scheduler.chooser.with(strategy, body) }

  /// Takes the natural order in the executions that `body` runs, while the strategy watches.
  package func watching(_ body: () -> Void) { scheduler.chooser.watching(body) }

  /// The part that the strategy has covered; nil while it goes on.
  package var covered: Strategies.Coverage? { scheduler.chooser.covered }

  /// Allows the strategy to use what it has learned.
  package func roundEnded() { scheduler.chooser.roundEnded() }

  /// Turns the strategy into copy number `part` of `parts` from here on, if it can be divided.
  package func divide(_ part: Int, of parts: Int) { scheduler.chooser.divide(part, of: parts) }

  /// Runs execution `number`. With `keepingEvents`, its trace holds every event, and no effort is spared to make sure
  /// of its verdict. The execution is described only then, or if it violated something.
  package func execute(_ number: Int, seed: UInt64, keepingEvents: Bool) -> Outcome {
    if let children {
      if let outcome = execute(number, seed: seed, keepingEvents: keepingEvents, in: children) {
        if outcome.needsOverlap { needsOverlap = true }
        if outcome.isCutShort { wasCutShort = true }
        if let pairs = outcome.pairs { endPairs.add(pairs) }
        return outcome
      }
      // Running in this process is better than not running at all. The report's account of processes shows it.
      self.children = nil
    }
    return executeHere(
      number, seed: seed, keepingEvents: keepingEvents, before: forecast?.next(isThorough: keepingEvents))
  }

  /// Runs execution `number` in this process, up to the point at which it is known to end the process.
  package func executeHere(_ number: Int, seed: UInt64, keepingEvents: Bool, before death: Death?) -> Outcome
  {
    choicesElsewhere = nil
    recorder.executions += 1
    scheduler.chooser.begin(number, seed: seed)
    scheduler.recorder.begin(keepingEvents: keepingEvents)
    let ending = run(before: death, keepingEvents: keepingEvents)
    offersCancels = scheduler.state.followsCancellations
    // The wait for a foreign thread was in vain, as it will be in most schedules. From now on only a replay waits.
    if scheduler.tasks.alive > 0, ending == .deadlock || ending == .finished,
      scheduler.state.jobsFromOutside == 0
    {
      patience = 0
    }
    let warnings = judge(ending, death) + scheduler.warningsOfRelaxedOrder
    let violated = !scheduler.monitors.findings.isEmpty
    let summary = Strategies.ExecutionSummary(
      choices: scheduler.chooser.tape.count, orderChoices: scheduler.chooser.tape.orderChoices,
      steps: scheduler.state.steps, violated: violated, digest: scheduler.state.digest,
      behavior: scheduler.behavior, hasTimeRanges: scheduler.state.hasTimeRanges,
      choseDurationEagerly: scheduler.state.choseDurationEagerly, drewNumbers: scheduler.state.drewNumbers)
    let outcome = Outcome(
      summary: summary, isIndependent: scheduler.chooser.isIndependent, warnings: warnings,
      vacuous: scheduler.monitors.vacuous, occurrences: scheduler.monitors.occurrences,
      isCostly: death?.isCostly ?? false,
      isCutShort: death?.cause == .late, isLong: isLong(ending),
      skippedUnfairSchedules: scheduler.state.skippedUnfairSchedules,
      unseen: scheduler.unseenSharing ?? (scheduler.suspicions.isEmpty ? nil : Self.unguarded),
      needsOverlap: scheduler.needsOverlap, keptWhole: scheduler.state.keptWhole,
      stoppedObserving: scheduler.state.isBlurred, isUnjudged: isUnjudged(ending), advice: advice,
      pairs: scheduler.addPairs(to: &endPairs), suspicions: scheduler.suspicions,
      execution: keepingEvents || violated || describesAll
        ? describe(number, ending, warnings, keepingEvents: keepingEvents) : nil)
    if outcome.needsOverlap { needsOverlap = true }
    if outcome.isCutShort { wasCutShort = true }
    scheduler.tearDown()
    scheduler.recorder.detach()
    scheduler.chooser.end(summary)
    return outcome
  }

  private func isLong(_ ending: ExecutionEnding) -> Bool {
    let state = scheduler.state
    return ending == .livelock && max(state.steps, state.stepsAtThisInstant) >= Self.manySteps
  }

  /// Runs execution `number` and describes it, events included.
  package func observe(_ number: Int, seed: UInt64) -> Simulation.Execution {
    guard let execution = execute(number, seed: seed, keepingEvents: true).execution else {
      preconditionFailure("an execution whose events are kept is described")
    }
    return execution
  }

  private func run(before death: Death?, keepingEvents: Bool) -> ExecutionEnding {
    let limits = Limits(
      time: options.timeLimit.wholeNanoseconds, stepLimitPerInstant: options.stepLimitPerInstant,
      enoughSteps: isBrief ? Self.manySteps : .max,
      patience: keepingEvents ? options.foreignThreadTimeout.wholeNanoseconds : patience,
      overlaps: overlaps, watchesSharing: !overlaps && options.steps == .asNeeded,
      followsAccesses: options.steps != .atomic && ch_is_instrumented(),
      hasWeakMemory: options.memory == .weak, accessPoints: accessPoints,
      sought: sought, readsEverything: options.readsEverything,
      waitsForOthers: options.foreignThreadTimeout > .zero, timerJitter: options.timerJitter.wholeNanoseconds,
      poolThreads: options.poolThreads ?? Simulation.Options.cores, spacedInstant: spacedInstant?.nanoseconds,
      notesAdvice: options.notesAdvice, checksInvariants: options.checksInvariants)
    thrown.error = nil
    // The first executions show whether the program has ranges.
    scheduler.namesEnds = endPairs.isInUse || recorder.executions < 32
    keepsEvents = keepingEvents
    return scheduler.run(limits: limits, before: death) { startRoot() }
  }

  private func startRoot() {
    // The root has a priority of its own: the caller's would affect the order on actors, and differs from place to
    // place. The closure holds only the body, the handle and `thrown`, because a root that never ends must not keep the
    // runner alive.
    Task(priority: .medium) { [body, simulation, thrown] in
      do { try await body(simulation) } catch { thrown.error = error }
    }
  }

  /// The error that the root threw.
  final class Thrown: @unchecked Sendable {
    // @unchecked Sendable because the root writes it inside the execution and the runner reads it after.
    var error: (any Error)?
  }

  private func describe(
    _ number: Int, _ ending: Simulation.Execution.Ending, _ warnings: [String], keepingEvents: Bool
  ) -> Simulation.Execution {
    let choices = scheduler.chooser.tape.choices
    let schedule = Schedule(choices: choices, hasPreemptibleSteps: overlaps, accessPoints: accessPoints)
    let trace =
      keepingEvents
      ? scheduler.recorder.trace(scheduler)
      : Trace(digest: scheduler.state.digest)
    let token = Schedule.Token(schedule: schedule, digest: trace.shortDigest)
    return Simulation.Execution(
      schedule: schedule, choices: choices, ending: ending,
      violations: scheduler.monitors.findings.map {
        Invariant.Violation(
          invariant: $0.invariant, diagnosis: $0.diagnosis ?? Invariant.BuiltIn.diagnosis(of: $0.invariant),
          message: $0.message,
          time: $0.time, step: $0.step, number: number,
          token: token,
          trace: trace)
      },
      warnings: warnings, trace: trace, steps: scheduler.state.steps,
      endTime: VirtualInstant(nanoseconds: scheduler.now), vacuousInvariants: scheduler.monitors.vacuous)
  }
}
