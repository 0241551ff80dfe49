internal import SimulatorCore

/// Judges an execution: passes events to the invariants' monitors, reads the observed values and checks the conditions
/// after each step, and remembers the violations.
final class Monitors {
  /// One violation.
  struct Finding {
    let invariant: String
    let diagnosis: Invariant.Diagnosis?
    let message: String
    let time: VirtualInstant
    let step: Int
  }

  private struct Condition {
    let name: String
    let check: () -> String?
    var isSilent = false
  }

  // A class, because copying a struct after every step would retain and release the references in it.
  private final class Observed {
    let name: String
    /// Reads the value. Returns the values before and after if they differ.
    let change: () -> (from: Trace.Value, to: Trace.Value)?

    init(name: String, change: @escaping () -> (from: Trace.Value, to: Trace.Value)?) {
      self.name = name
      self.change = change
    }
  }

  private var watches: [Watch] = []
  private var conditions: [Condition] = []
  private var observed: [Observed] = []
  /// The observed values of processes that have died.
  private var retired: [Observed] = []
  /// The first call that doesn't belong to a process that has died.
  private var firstCall = 0
  /// True if the state must be seen after each single step: to know which step changed what, or that something was true
  /// briefly.
  private(set) var seesEachStep = false
  private(set) var findings: [Finding] = []
  /// The invariants that had nothing to judge.
  private(set) var vacuous: [String] = []
  /// The things that should happen in some execution of a search, by name: true if one has happened in this execution.
  private(set) var occurrences: [String: Bool] = [:]
  /// True if there is anything to do between steps.
  private(set) var isWatching = false
  /// True if any monitor wants to see steps.
  private(set) var wantsSteps = false
  private var isMuted = false
  private var isUsed = false

  /// Forgets the last execution.
  func begin() {
    isMuted = false
    guard isUsed else { return }
    isUsed = false
    isWatching = false
    wantsSteps = false
    seesEachStep = false
    letGo()
    findings.removeAll(keepingCapacity: true)
    vacuous.removeAll(keepingCapacity: true)
    occurrences.removeAll(keepingCapacity: true)
  }

  /// Stops judging. Releases what monitors and conditions hold while the simulation can still run what that may start.
  func mute() {
    isMuted = true
    isWatching = false
    if isUsed { letGo() }
  }

  private func letGo() {
    watches.removeAll(keepingCapacity: true)
    conditions.removeAll(keepingCapacity: true)
    observed.removeAll(keepingCapacity: true)
    retired.removeAll()
    firstCall = 0
  }

  /// True if any monitor receives events.
  var areListening: Bool { !watches.isEmpty }
}

// MARK: - What is judged

extension Monitors {
  func add(_ invariant: Invariant) {
    guard !isMuted else { return }
    isUsed = true
    let watch = Watch.watch(invariant)
    if watch.wantsSteps { wantsSteps = true }
    watches.append(watch)
  }

  func add(condition name: String, seesEachStep: Bool = false, _ check: @escaping () -> String?) {
    guard !isMuted else { return }
    if seesEachStep { self.seesEachStep = true }
    isUsed = true
    conditions.append(Condition(name: name, check: check))
    isWatching = true
  }

  /// Expects `name` to happen in some execution of the search; with a `condition`, when that is true after a step.
  func expect(_ name: String, _ condition: (() -> Bool)? = nil) {
    guard !isMuted else { return }
    isUsed = true
    occurrences[name] = occurrences[name] ?? false
    guard let condition else { return }
    // Not `seesEachStep`: what is true only while a step is parked need not be seen.
    conditions.append(
      Condition(name: name) { [unowned self] in
        if occurrences[name] != true, condition() { occurrences[name] = true }
        return nil
      })
    isWatching = true
  }

  /// Notes that `name` has happened.
  func occurred(_ name: String) {
    guard !isMuted else { return }
    isUsed = true
    occurrences[name] = true
  }

  func observe<Snapshot: Equatable>(
    _ name: String, _ scheduler: Scheduler, _ read: @escaping () -> Snapshot,
    as value: @escaping (Snapshot) -> Trace.Value
  ) {
    guard !isMuted else { return }
    var last = scheduler.betweenSteps(read)
    observe(name, scheduler) {
      let now = read()
      guard now != last else { return nil }
      defer { last = now }
      return (value(last), value(now))
    }
  }

  func observe(
    _ name: String, _ scheduler: Scheduler, change: @escaping () -> (from: Trace.Value, to: Trace.Value)?
  ) {
    guard !isMuted else { return }
    isUsed = true
    seesEachStep = true
    _ = scheduler.mayLook()
    observed.append(Observed(name: name, change: change))
    isWatching = true
  }
}

// MARK: - Judging

extension Monitors {
  func saw(_ event: Trace.Event, _ scheduler: Scheduler) {
    let isStep = if case .step = event.kind { true } else { false }
    let cancelled: Int? = if case .taskCancelled(let task) = event.kind { task } else { nil }
    for watch in watches where !watch.isSilent {
      if isStep, !watch.wantsSteps { continue }
      if isOfDeadProcess(event), !watch.outlivesProcess { continue }
      if let cancelled { watch.saw(cancelOf: cancelled, scheduler) }
      guard let message = watch.saw(event) else { continue }
      watch.isSilent = true
      violated(watch, message, scheduler)
    }
  }

  /// Judges the state after a step, or after an action between steps.
  func afterStep(_ scheduler: Scheduler) {
    guard isWatching, !isMuted, scheduler.mayLook() else { return }
    scheduler.betweenSteps {
      for value in observed where !scheduler.state.isBlurred {
        guard let (from, to) = value.change(), from != to else { continue }
        scheduler.recorder.saw(.changed(name: value.name, from: from, to: to), scheduler)
      }
      for index in conditions.indices where !conditions[index].isSilent {
        guard let message = conditions[index].check() else { continue }
        conditions[index].isSilent = true
        violated(conditions[index].name, message, scheduler)
      }
    }
  }

  /// Tells the monitors that everything is at rest and that an action comes next.
  func paused(_ scheduler: Scheduler) {
    guard !watches.isEmpty, !isMuted else { return }
    let now = VirtualInstant(nanoseconds: scheduler.now)
    for watch in watches where !watch.isSilent {
      guard let message = watch.paused(now) else { continue }
      watch.isSilent = true
      violated(watch, message, scheduler)
    }
  }

  /// Notes that the execution is over. If it was stopped early, it is not judged: how it would have ended is unknown.
  func ended(_ scheduler: Scheduler, _ ending: ExecutionEnding) {
    guard isUsed else { return }
    let judging = ending != .died && ending != .raced
    if judging { afterStep(scheduler) }
    let end = VirtualInstant(nanoseconds: scheduler.now)
    vacuous.removeAll()
    for watch in watches {
      if watch.isVacuous { vacuous.append(watch.name) }
      guard judging, !watch.isSilent else { continue }
      guard let message = ending == .timeLimit ? watch.cutOff(end) : watch.atRest(end) else { continue }
      violated(watch, message, scheduler)
    }
  }

  /// Starts over because the judged process has died. Fresh monitors replace those that don't outlive it, and hear of
  /// no call below `call`. Nothing is observed anymore.
  func judgeAnew(before call: Int, _ scheduler: Scheduler) {
    guard !isMuted else { return }
    let now = VirtualInstant(nanoseconds: scheduler.now)
    for watch in watches where !watch.isSilent {
      guard let message = watch.processDied(now) else { continue }
      watch.isSilent = true
      violated(watch, message, scheduler)
    }
    watches = watches.map { $0.outlivesProcess ? $0 : $0.fresh() }
    firstCall = call
    retired += observed
    observed.removeAll()
  }

  private func isOfDeadProcess(_ event: Trace.Event) -> Bool {
    guard firstCall > 0 else { return false }
    switch event.kind {
    case .began(let call), .effect(let call, _), .ended(let call, _), .cancellation(let call, _):
      return call.id < firstCall
    default: return false
    }
  }

  private func violated(_ watch: Watch, _ message: String, _ scheduler: Scheduler) {
    violated(watch.name, message, scheduler, diagnosis: watch.diagnosis)
  }

  /// Replaces all findings with the escape, because nothing else is known of the execution.
  func escaped(_ message: String, at moment: Escapes.Moment) {
    isUsed = true
    vacuous.removeAll()
    findings = [
      Finding(
        invariant: Invariant.BuiltIn.escape, diagnosis: nil, message: message,
        time: VirtualInstant(nanoseconds: moment.time), step: moment.step)
    ]
  }

  /// Remembers the first violation of each invariant. The trace knows it as `mark`, or by the invariant's name if that is nil.
  func violated(
    _ invariant: String, _ message: String, _ scheduler: Scheduler, diagnosis: Invariant.Diagnosis? = nil,
    mark: String? = nil
  ) {
    guard !isMuted, !findings.contains(where: { $0.invariant == invariant }) else { return }
    isUsed = true
    // Part of the digest: a verdict that a replay does not repeat is nondeterminism, even if nothing else differs.
    scheduler.mix(mark ?? invariant)
    scheduler.flightRecorder.tell(
      Death.Failure(
        invariant: invariant, message: message, diagnosis: diagnosis, mark: mark ?? invariant))
    findings.append(
      Finding(
        invariant: invariant, diagnosis: diagnosis, message: message,
        time: VirtualInstant(nanoseconds: scheduler.now),
        step: scheduler.state.steps))
  }
}
