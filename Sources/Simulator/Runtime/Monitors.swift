/// Judges an execution: hands events to the invariants' monitors, reads what is observed and asks the conditions after
/// each step, and remembers what was violated.
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

  // A class, because a copy after every step would count the references in it.
  private final class Observed {
    let name: String
    /// Reads; answers the values before and after when they differ.
    let change: () -> (from: Trace.Value, to: Trace.Value)?

    init(name: String, change: @escaping () -> (from: Trace.Value, to: Trace.Value)?) {
      self.name = name
      self.change = change
    }
  }

  private var watches: [Watch] = []
  private var conditions: [Condition] = []
  private var observed: [Observed] = []
  /// What was observed of processes that have died.
  private var retired: [Observed] = []
  /// The first call that is not of a process that has died.
  private var firstCall = 0
  /// Whether it must be seen what each single step has left: which has changed what, or that something was so for a moment.
  private(set) var seesEachStep = false
  private(set) var findings: [Finding] = []
  /// The invariants that had nothing to judge.
  private(set) var vacuous: [String] = []
  /// What is to happen in some execution of a search, by its name, and whether it has happened in this one.
  private(set) var occurrences: [String: Bool] = [:]
  /// Whether anything is to be done between steps.
  private(set) var isWatching = false
  /// Whether any monitor wants to see steps.
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

  /// From here on nothing is judged. What monitors and conditions hold on to is let go while the simulation is still there
  /// to run what their end may start.
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

  /// Whether any monitor is to be told events.
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

  /// `name` is to happen in some execution of the search; with a `condition`, when that is true after a step.
  func expect(_ name: String, _ condition: (() -> Bool)? = nil) {
    guard !isMuted else { return }
    isUsed = true
    occurrences[name] = occurrences[name] ?? false
    guard let condition else { return }
    // Not `seesEachStep`: what is true only while a step stands in its middle need not be seen.
    conditions.append(
      Condition(name: name) { [unowned self] in
        if occurrences[name] != true, condition() { occurrences[name] = true }
        return nil
      })
    isWatching = true
  }

  /// It has happened.
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

  /// A step, or an action between steps, has ended.
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

  /// All is at rest, and an action comes next.
  func paused(_ scheduler: Scheduler) {
    guard !watches.isEmpty, !isMuted else { return }
    let now = VirtualInstant(nanoseconds: scheduler.now)
    for watch in watches where !watch.isSilent {
      guard let message = watch.paused(now) else { continue }
      watch.isSilent = true
      violated(watch, message, scheduler)
    }
  }

  /// The execution is over. One that was left off is not `judging`: how it would have ended is not known.
  func atRest(_ scheduler: Scheduler, judging: Bool) {
    guard isUsed else { return }
    if judging { afterStep(scheduler) }
    let end = VirtualInstant(nanoseconds: scheduler.now)
    vacuous.removeAll()
    for watch in watches {
      if !watch.hasJudged { vacuous.append(watch.name) }
      guard judging, !watch.isSilent, let message = watch.atRest(end) else { continue }
      violated(watch, message, scheduler)
    }
  }

  /// The process has died that is judged. Monitors are replaced by fresh ones where they do not outlive it, which hear of no call
  /// below `call`; nothing is observed any more.
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

  /// Work has escaped: that is all that is known of the execution.
  func escaped(_ message: String, at moment: Escapes.Moment) {
    isUsed = true
    vacuous.removeAll()
    findings = [
      Finding(
        invariant: Invariant.BuiltIn.escape, diagnosis: nil, message: message,
        time: VirtualInstant(nanoseconds: moment.time), step: moment.step)
    ]
  }

  /// Remembers the first violation of each invariant. The trace knows it as `mark`, else by the invariant's name.
  func violated(
    _ invariant: String, _ message: String, _ scheduler: Scheduler, diagnosis: Invariant.Diagnosis? = nil,
    mark: String? = nil
  ) {
    guard !isMuted, !findings.contains(where: { $0.invariant == invariant }) else { return }
    isUsed = true
    // Part of the trace: a verdict that a replay does not repeat is nondeterminism even where nothing else is.
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
