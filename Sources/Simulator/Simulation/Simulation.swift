internal import CConcurrencyHooks

/// The handle on the execution that is running, given to the body of ``explore(_:schedules:seed:strategy:jobs:options:_:)``.
///
/// Everything on it is for code that runs inside that execution; elsewhere each method traps with a sentence.
public final class Simulation: @unchecked Sendable {
  // @unchecked Sendable because every method first makes sure that it is on the simulation's own thread.
  unowned let scheduler: Scheduler

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
  }

  /// The simulation that this thread runs, or nil on a thread that runs none.
  public static var current: Simulation? {
    guard let hooks = unsafe ch_get_current() else { return nil }
    // Safe: the runner gives its scheduler no other handle.
    return unsafe Scheduler.with(hooks) {
      $0.handle.map { unsafe unsafeDowncast($0, to: Simulation.self) }
    }
  }

  var checked: Scheduler {
    guard let hooks = unsafe ch_get_current(),
      let scheduler = unsafe Scheduler.with(hooks, { $0.handle === self ? $0 : nil })
    else {
      // Going on would be a data race on the state of the simulation.
      fatalError("a simulation's handle is for code that runs inside that simulation, on its thread")
    }
    scheduler.chooser.endSilence()
    return scheduler
  }

  /// The virtual time.
  public var now: VirtualInstant {
    let scheduler = checked
    if scheduler.chooser.followsDependencies { scheduler.chooser.accessed(.clock, .read) }
    return VirtualInstant(nanoseconds: scheduler.now)
  }
}

// MARK: - The build

extension Simulation {
  /// Whether the atomics of the program and its uncontended `Mutex`es are scheduling points where steps may overlap: it was
  /// compiled with `-Xswiftc -Xfrontend -Xswiftc -sanitize=thread`.
  public static var followsAtomics: Bool { ch_is_instrumented() }

  /// Whether a step may be left before it takes a `Mutex` that is free, where steps may overlap: in a debug build, or with the
  /// flag of ``followsAtomics``. An optimized build calls nothing there, and under a sanitizer the program is not changed.
  public static var followsMutexes: Bool { ch_follows_mutexes() }
}

// MARK: - Invariants

extension Simulation {
  /// `condition` must hold after every step. It runs between steps, where it may read any actor by
  /// `assumeIsolated`; it must not change anything.
  public func always(_ name: String, _ condition: @escaping @Sendable () -> Bool) {
    checked.monitors.add(condition: name) { condition() ? nil : "does not hold" }
  }

  /// `problem` must answer nil after every step; what else it answers is the violation's sentence.
  public func always(_ name: String, problem: @escaping @Sendable () -> String?) {
    checked.monitors.add(condition: name, problem)
  }

  /// `condition` must have held, after some step, within `bound` of virtual time from now; it need not stay true.
  public func eventually(
    _ name: String, within bound: Duration, _ condition: @escaping @Sendable () -> Bool
  ) {
    refuse(
      if: bound < .zero,
      "“\(name)” is to come true within \(bound.shortText), which is over: give a bound from zero on")
    let deadline = now.advanced(by: bound)
    let state = Eventuality(deadline: deadline, condition: condition)
    checked.monitors.add(condition: name, seesEachStep: true) { [unowned scheduler] in
      state.check(VirtualInstant(nanoseconds: scheduler.now))
    }
    checked.monitors.add(
      Invariant(name, "eventually") { EventuallyMonitor(state: state) })
  }

  /// Judges this execution by `invariant`.
  public func require(_ invariant: Invariant) {
    checked.monitors.add(invariant)
  }

  /// Makes `value` part of the trace: whenever a step leaves another value, the trace and the judges see an
  /// ``Trace/Event/Kind/changed(name:from:to:)``. Read between steps, like a condition.
  public func observe(_ name: String, _ value: @escaping @Sendable () -> Trace.Value) {
    observe(name, value) { $0 }
  }

  /// Makes a snapshot part of the trace like ``observe(_:_:)``. The snapshot is read after every step and ought to be
  /// cheap to compare; it is put into a ``Trace/Value`` by `value` only when it has changed.
  public func observe<Snapshot: Equatable>(
    _ name: String, _ snapshot: @escaping @Sendable () -> Snapshot,
    as value: @escaping @Sendable (Snapshot) -> Trace.Value
  ) {
    let scheduler = checked
    scheduler.monitors.observe(name, scheduler, snapshot, as: value)
  }

  /// Whether each observed value is to be read whenever it is asked for.
  @usableFromInline package var readsEverything: Bool { checked.limits.readsEverything }

  /// The same for one who keeps the snapshot: `change` answers the values before and after, if they differ, since it was
  /// asked before. It is asked after every step, in which it may read the main actor's state and that of every other actor.
  @usableFromInline
  package func observe(
    _ name: String, change: @escaping @MainActor () -> (from: Trace.Value, to: Trace.Value)?
  ) {
    let scheduler = checked
    // Safe: it is asked between steps only, where every question about isolation is answered with yes, and to ask it of
    // each value after each step costs as much as to read one.
    let change = unsafe unsafeBitCast(change, to: (() -> (from: Trace.Value, to: Trace.Value)?).self)
    scheduler.monitors.observe(name, scheduler, change: change)
  }

  /// The invariant `name` is violated, here and now.
  public func fail(_ name: String, _ message: String) { fail(name, message, mark: name) }

  /// The innermost function of the program that has called this, and its line. Costs milliseconds where that is new.
  package static var caller: Trace.CodePlace? { Scheduler.caller }

  /// The same, known to the trace as `mark`: for a name that a small change of the program changes.
  package func fail(_ name: String, _ message: String, mark: String) {
    let scheduler = checked
    scheduler.monitors.violated(name, message, scheduler, mark: mark)
  }
}

// MARK: - The trace

extension Simulation {
  /// Adds an event to the trace.
  public func record(_ kind: Trace.Event.Kind) {
    let scheduler = checked
    scheduler.recorder.saw(kind, scheduler)
  }

  /// A call to a fake that begins now, with a number of its own; it is not yet in the trace.
  public func call(_ fake: String, _ operation: String, _ detail: Trace.Value = .none) -> Trace.Call {
    let id = checked.recorder.nextCall()
    return unsafe Trace.Call(
      id: id, fake: fake, operation: operation, detail: detail,
      requesterWasCancelled: withUnsafeCurrentTask { unsafe $0?.isCancelled ?? false })
  }

  /// Calls the running task `name` in the trace.
  public func nameTask(_ name: String) {
    let scheduler = checked
    scheduler.recorder.name(scheduler.currentTask, name)
  }
}

// MARK: - Choices

extension Simulation {
  /// One of `options`, of which the first is the natural one. There must be at least one.
  public func choose<Option>(_ kind: Schedule.Choice.Kind = .alternative, among options: [Option]) -> Option {
    let scheduler = checked
    refuse(
      if: options.isEmpty,
      "choose(among:) has no option to choose: give it at least one, the natural one first")
    let position = scheduler.chooser.tape.count
    let taken = scheduler.chooser.choose(kind, options: options.count)
    if taken > 0, scheduler.recorder.keepsEvents {
      scheduler.recorder.decided(
        at: position,
        .init(taken: String(describing: options[taken]), natural: String(describing: options[0])))
    }
    return options[taken]
  }

  /// A duration out of `range`, at once: its low end (the natural one), its high end, one that ends together with a
  /// timer that is pending inside it, of which at most eight are offered, the earliest; or one of six that lie inside,
  /// spread by chance.
  ///
  /// What is set later is not known yet, and most of the range is never tried: a search that has met this claims neither
  /// every schedule nor every behavior. Where the duration is slept, ``sleep(in:)`` is exact.
  public func choose(_ kind: Schedule.Choice.Kind = .delay, in range: ClosedRange<Duration>) -> Duration {
    let scheduler = checked
    refuse(
      if: range.lowerBound < .zero,
      "choose(in:) is given durations from \(range.lowerBound.shortText) on: begin the range at zero or later"
    )
    let low = scheduler.now.addingClamped(range.lowerBound.wholeNanoseconds)
    let high = scheduler.now.addingClamped(range.upperBound.wholeNanoseconds)
    guard low < high else { return range.lowerBound }
    if scheduler.chooser.followsDependencies { scheduler.chooser.accessed(.timers, .read) }
    scheduler.state.choseAtOnce = true
    let options = [low, high] + scheduler.inside(low, high)
    let position = scheduler.chooser.tape.count
    let taken = scheduler.chooser.choose(kind, options: options.count)
    let chosen = Duration.nanoseconds(options[taken] - scheduler.now)
    if taken > 0, scheduler.recorder.keepsEvents {
      scheduler.recorder.decided(
        at: position, .init(taken: chosen.shortText, natural: range.lowerBound.shortText))
    }
    return chosen
  }

  /// `action` happens once, at a moment of the strategy's choosing: before any step or timer; by nature when all is
  /// at rest. It runs between steps and may start tasks. Reports call it `name`.
  public func anytime(_ name: String = "an anytime action", _ action: @escaping @Sendable () -> Void) {
    checked.tables.anytime.add(name, action)
  }
}

extension Simulation {
  /// Keeps `task` in memory until the execution is over: a continuation of it that is resumed again when the task has
  /// ended is then noticed, and no memory of another is written to.
  package func keep(_ task: Task<Void, Never>) { checked.recorder.keep(task) }

  /// `action` happens once, at once, which is natural, or up to `longest` later: as ``sleep(in:)``, decided as time moves.
  /// Reports call it `name`.
  package func act(_ name: String, atMost longest: Duration, _ action: @escaping @Sendable () -> Void) {
    let scheduler = checked
    scheduler.recorder.nextTimer(name)
    guard longest > .zero, let range = scheduler.putOff(atMost: longest.wholeNanoseconds, .moment) else {
      return action()
    }
    // A step, so that it may come between the steps of others.
    Task {
      try? await Simulator.sleep(.zero...longest, about: name, putOff: range)
      action()
    }
  }

  /// Runs `body` as if it were between two steps: `assumeIsolated` succeeds for every actor.
  ///
  /// For the simulator's own side: making a system, starting a script. Not for simulated code.
  package func outsideSteps<Result>(_ body: () -> Result) -> Result { checked.betweenSteps(body) }
}

/// Whether something has come true by its deadline.
private final class Eventuality: @unchecked Sendable {
  // @unchecked Sendable because only the simulation's thread reaches it.
  let deadline: VirtualInstant
  let condition: @Sendable () -> Bool
  var isMet = false

  init(deadline: VirtualInstant, condition: @escaping @Sendable () -> Bool) {
    self.deadline = deadline
    self.condition = condition
  }

  func check(_ now: VirtualInstant) -> String? {
    if !isMet, condition() { isMet = now <= deadline }
    return !isMet && now > deadline ? sentence : nil
  }

  var sentence: String { "was not so by \(deadline)" }
}

private struct EventuallyMonitor: Invariant.Monitor {
  let state: Eventuality
  var judged: Bool { true }
  mutating func saw(_ event: Trace.Event) -> String? { nil }
  mutating func atRest(_ end: VirtualInstant) -> String? { state.isMet ? nil : state.sentence }
}
