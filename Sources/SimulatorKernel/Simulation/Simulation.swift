internal import CConcurrencyHooks
public import SimulatorCore
internal import SimulatorStrategyInterface

/// The handle on the execution that is running, given to the body of ``explore(_:schedules:seed:strategy:jobs:options:_:)``.
///
/// Everything on it is for code that runs inside that execution; elsewhere each method traps with a sentence.
public final class Simulation: @unchecked Sendable {
  // @unchecked Sendable because every method first makes sure that it is on the simulation's own thread.
  package unowned let scheduler: Scheduler

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
  }

  /// The simulation that this thread runs, or nil on a thread that runs none.
  public static var current: Simulation? {
    guard let hooks = unsafe ch_get_current() else { return nil }
    // Safe because the runner gives its scheduler no other handle.
    return unsafe Scheduler.with(hooks) {
      $0.handle.map { unsafe unsafeDowncast($0, to: Simulation.self) }
    }
  }

  package var checked: Scheduler {
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
  /// True if the program's atomics and its uncontended `Mutex`es are scheduling points when steps may overlap: it was
  /// compiled with `-Xswiftc -Xfrontend -Xswiftc -sanitize=thread`.
  public static var followsAtomics: Bool { ch_is_instrumented() }

  /// True if a step may be preempted before it takes a `Mutex` that is free, when steps may overlap: in a debug build,
  /// or with the flag of ``followsAtomics``. An optimized build calls nothing there, and under a sanitizer the program
  /// is not changed.
  public static var followsMutexes: Bool { ch_follows_mutexes() }
}

// MARK: - Invariants

extension Simulation {
  /// Requires that `condition` holds after every step. It runs between steps, where it may read any actor by
  /// `assumeIsolated`; it must not change anything.
  public func always(_ name: String, _ condition: @escaping @Sendable () -> Bool) {
    checked.monitors.add(condition: name) { condition() ? nil : "does not hold" }
  }

  /// Requires that `problem` returns nil after every step. Any text that it returns is the sentence of the violation.
  public func always(_ name: String, problem: @escaping @Sendable () -> String?) {
    checked.monitors.add(condition: name, problem)
  }

  /// Requires that `condition` has held, after some step, within `bound` of virtual time from now; it need not stay
  /// true.
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

  /// Makes `value` part of the trace: whenever a step changes it, the trace and the judges see an
  /// ``Trace/Event/Kind/changed(name:from:to:)``. It is read between steps, like a condition.
  public func observe(_ name: String, _ value: @escaping @Sendable () -> Trace.Value) {
    observe(name, value) { $0 }
  }

  /// Makes a snapshot part of the trace like ``observe(_:_:)``. The snapshot is read after every step and should be
  /// cheap to compare; `value` turns it into a ``Trace/Value`` only when it has changed.
  public func observe<Snapshot: Equatable>(
    _ name: String, _ snapshot: @escaping @Sendable () -> Snapshot,
    as value: @escaping @Sendable (Snapshot) -> Trace.Value
  ) {
    let scheduler = checked
    scheduler.monitors.observe(name, scheduler, snapshot, as: value)
  }

  /// True if each observed value must be read whenever it is asked for.
  @usableFromInline package var readsEverything: Bool { checked.limits.readsEverything }

  /// Makes a value part of the trace for a caller that keeps the snapshot. `change` returns the values before and after
  /// if they have changed since the last call. It is called after every step, and may read the state of the main actor
  /// and of every other actor.
  @usableFromInline
  package func observe(
    _ name: String, change: @escaping @MainActor () -> (from: Trace.Value, to: Trace.Value)?
  ) {
    let scheduler = checked
    // Safe because it is called only between steps, when every question about isolation is answered with yes. To ask
    // that question for each value after each step would cost as much as to read a value.
    let change = unsafe unsafeBitCast(change, to: (() -> (from: Trace.Value, to: Trace.Value)?).self)
    scheduler.monitors.observe(name, scheduler, change: change)
  }

  /// Notes that the invariant `name` is violated, here and now.
  public func fail(_ name: String, _ message: String) { fail(name, message, mark: name) }

  /// The innermost function of the program that has called this, and its line. Costs milliseconds for a new place.
  package static var caller: Trace.CodePlace? { Scheduler.caller }

  /// Notes a violation that the trace knows as `mark`: for a name that changes with a small change of the program.
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

  /// Returns a call to a fake that begins now, with a number of its own. The call is not in the trace yet.
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
  /// Returns one of `options`, of which the first is the natural one. There must be at least one.
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

  /// Returns a duration from `range`, chosen at once: its low end (the natural one); its high end; one that ends
  /// together with a timer that is pending inside the range, of which at most the eight earliest are offered; or one of
  /// six random ones that are spread inside the range.
  ///
  /// Timers that are set later are not known yet, and most of the range is never tried. So a search that has met this
  /// claims neither every schedule nor every behavior. For a duration that is slept, ``sleep(in:)`` is exact.
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
    scheduler.state.choseDurationEagerly = true
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

  /// Performs `action` once, at a moment of the strategy's choosing: before any step or timer. The natural moment is
  /// when everything is at rest. The action runs between steps and may start tasks. Reports call it `name`.
  public func anytime(_ name: String = "an anytime action", _ action: @escaping @Sendable () -> Void) {
    checked.tables.anytime.add(name, action)
  }
}

extension Simulation {
  /// Keeps `task` in memory until the execution is over. If a continuation of it is resumed again after the task has
  /// ended, that is then noticed, and does not write to memory that belongs to something else.
  package func keep(_ task: Task<Void, Never>) { checked.recorder.keep(task) }

  /// Names the action that the running task performs at the end of the sleep that it is about to begin.
  package func nameNextEnd(_ name: String) { checked.name(nextEnd: .action(name)) }

  /// Performs `action` once: at once, which is natural, or up to `longest` later. Like ``sleep(in:)``, this is decided
  /// as time moves. Reports call it `name`.
  package func act(_ name: String, atMost longest: Duration, _ action: @escaping @Sendable () -> Void) {
    let scheduler = checked
    scheduler.recorder.nextTimer(name)
    scheduler.name(nextEnd: .action(name))
    guard longest > .zero, let range = scheduler.putOff(atMost: longest.wholeNanoseconds, .moment) else {
      return action()
    }
    // A step, so that the action may come between the steps of others.
    Task {
      try? await SimulatorKernel.sleep(.zero...longest, about: name, putOff: range)
      action()
    }
  }

  /// Runs `body` as if it were between two steps: `assumeIsolated` succeeds for every actor.
  ///
  /// For the simulator's own code, which makes a system or starts a script. Not for simulated code.
  package func outsideSteps<Result>(_ body: () -> Result) -> Result { checked.betweenSteps(body) }
}

/// A condition that must come true by its deadline.
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
  mutating func cutOff(_ end: VirtualInstant) -> String? { state.check(end) }
}
