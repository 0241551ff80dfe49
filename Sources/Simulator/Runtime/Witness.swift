internal import CConcurrencyHooks

/// Sees what happens in an execution: hands events to the judges, asks the conditions between steps, remembers
/// what was violated, and keeps the events when they are wanted.
final class Witness {
  struct Finding {
    let invariant: String
    let diagnosis: Diagnosis?
    let message: String
    let time: VirtualInstant
    let step: Int
  }

  private struct Seat {
    let name: String
    let diagnosis: Diagnosis?
    var monitor: any Monitor
    var isSilent = false
  }

  private struct Condition {
    let name: String
    let check: () -> String?
    var isSilent = false
  }

  private struct Observed {
    let name: String
    /// Reads; answers the values before and after when they differ.
    let change: () -> (from: Value, to: Value)?
  }

  private var seats: [Seat] = []
  private var conditions: [Condition] = []
  private var observed: [Observed] = []
  private(set) var findings: [Finding] = []
  private(set) var events: ContiguousArray<Event> = []
  private var stacks: [[UInt]] = []
  private var causes: [Int] = []
  private var arrivals: [Candidate.ID: Int] = [:]
  private var decisions: [Int: Trace.Decision] = [:]
  private(set) var names: [Int32: String] = [:]
  private(set) var vacuous: [String] = []
  /// What stays in memory until the execution is over.
  private var kept: [any Sendable] = []
  private var calls = 0
  private(set) var keepsEvents = false
  /// Whether steps are to be told as events.
  private(set) var wantsSteps = false
  /// Whether anything is to be done between steps.
  private(set) var isWatching = false
  private var isMuted = false
  /// Whether this execution has left anything here.
  private var isUsed = false

  func begin(keepingEvents: Bool) {
    isMuted = false
    keepsEvents = keepingEvents
    wantsSteps = keepingEvents
    calls = 0
    guard isUsed else { return }
    isUsed = false
    seats.removeAll(keepingCapacity: true)
    conditions.removeAll(keepingCapacity: true)
    observed.removeAll(keepingCapacity: true)
    findings.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    stacks.removeAll(keepingCapacity: true)
    causes.removeAll(keepingCapacity: true)
    arrivals.removeAll(keepingCapacity: true)
    decisions.removeAll(keepingCapacity: true)
    vacuous.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    kept.removeAll(keepingCapacity: true)
    isWatching = false
  }

  func keep(_ object: any Sendable) {
    isUsed = true
    kept.append(object)
  }

  func add(_ invariant: Invariant) {
    guard !isMuted else { return }
    isUsed = true
    let monitor = invariant.monitor()
    if monitor.wantsSteps { wantsSteps = true }
    seats.append(Seat(name: invariant.name, diagnosis: invariant.diagnosis, monitor: monitor))
  }

  func add(condition name: String, _ check: @escaping () -> String?) {
    guard !isMuted else { return }
    isUsed = true
    conditions.append(Condition(name: name, check: check))
    isWatching = true
  }

  func observe<Snapshot: Equatable>(
    _ name: String, _ scheduler: Scheduler, _ read: @escaping () -> Snapshot,
    as value: @escaping (Snapshot) -> Value
  ) {
    guard !isMuted else { return }
    isUsed = true
    var last = scheduler.betweenSteps(read)
    observed.append(
      Observed(name: name) {
        let now = read()
        guard now != last else { return nil }
        defer { last = now }
        return (value(last), value(now))
      })
    isWatching = true
  }

  func name(_ task: Int32, _ name: String) {
    isUsed = true
    names[task] = name
  }

  func nextCall() -> Int {
    calls += 1
    return calls
  }

  // MARK: what happens

  /// A step begins; where events are kept, so is where its task goes on.
  func sawStep(of job: UnsafeMutableRawPointer, arrival: Candidate.ID, _ scheduler: Scheduler) {
    guard !isMuted else { return }
    if keepsEvents {
      causes.append(arrivals.removeValue(forKey: arrival) ?? 0)
      unsafe stacks.append(scheduler.task(behind: job).map { unsafe SuspendedTask.addresses(of: $0) } ?? [])
    }
    saw(.step, scheduler)
  }

  /// Something became runnable in step `step`, or between steps when that is 0.
  func arrived(_ id: Candidate.ID, inStep step: Int) {
    guard !isMuted else { return }
    isUsed = true
    arrivals[id] = step
  }

  /// The choice at `position` was not the natural one.
  func decided(at position: Int, _ decision: Trace.Decision) {
    guard keepsEvents, !isMuted else { return }
    isUsed = true
    decisions[position] = decision
  }

  /// Shows that an anytime action happens. No part of what happened, which is the action's own to tell.
  func acted(_ name: String, _ scheduler: Scheduler) {
    guard keepsEvents, !isMuted else { return }
    isUsed = true
    events.append(
      Event(
        time: VirtualInstant(nanoseconds: scheduler.now), step: scheduler.steps, domain: 0, task: nil,
        kind: .note(Event.anytimePrefix + name)))
  }

  func saw(_ kind: Event.Kind, _ scheduler: Scheduler) {
    guard !isMuted else { return }
    if kind != .step { scheduler.mix(kind) }
    switch kind {
    case .began(let call): scheduler.sawCall(call, at: 1)
    case .effect(let call, _): scheduler.sawCall(call, at: 2)
    case .ended(let call, _): scheduler.sawCall(call, at: 3)
    default: break
    }
    guard keepsEvents || !seats.isEmpty else { return }
    if scheduler.chooser.followsDependencies, kind != .step || !seats.isEmpty {
      scheduler.chooser.accessed(.watched, .exclusive)
    }
    let task = kind == .step ? scheduler.frame.task : scheduler.eventTask
    let domain = kind == .step ? scheduler.frame.domain : scheduler.eventDomain
    let event = Event(
      time: VirtualInstant(nanoseconds: scheduler.now), step: scheduler.steps,
      domain: Int(max(0, domain)), task: task >= 0 ? Int(task) : nil, kind: kind)
    if keepsEvents {
      isUsed = true
      events.append(event)
    }
    for index in seats.indices where !seats[index].isSilent {
      if kind == .step, !seats[index].monitor.wantsSteps { continue }
      guard let message = seats[index].monitor.saw(event) else { continue }
      seats[index].isSilent = true
      violated(
        seats[index].name, message, scheduler,
        diagnosis: seats[index].monitor.diagnosis ?? seats[index].diagnosis)
    }
  }

  func afterStep(_ scheduler: Scheduler) {
    guard isWatching, !isMuted else { return }
    scheduler.betweenSteps {
      for index in observed.indices {
        guard let (from, to) = observed[index].change(), from != to else { continue }
        saw(.changed(name: observed[index].name, from: from, to: to), scheduler)
      }
      for index in conditions.indices where !conditions[index].isSilent {
        guard let message = conditions[index].check() else { continue }
        conditions[index].isSilent = true
        violated(conditions[index].name, message, scheduler)
      }
    }
  }

  /// The execution is over. One that was left off is not `judging`: nobody knows how it would have ended.
  func atRest(_ scheduler: Scheduler, judging: Bool) {
    guard isUsed else { return }
    if judging { afterStep(scheduler) }
    let end = VirtualInstant(nanoseconds: scheduler.now)
    vacuous.removeAll()
    for index in seats.indices {
      if !seats[index].monitor.judged { vacuous.append(seats[index].name) }
      guard judging, !seats[index].isSilent, let message = seats[index].monitor.atRest(end) else { continue }
      violated(
        seats[index].name, message, scheduler,
        diagnosis: seats[index].monitor.diagnosis ?? seats[index].diagnosis)
    }
  }

  /// From here on nothing is judged, kept or hashed. What judges and conditions hold on to is let go while the
  /// simulation is still there to run what their end may start.
  func mute() {
    isMuted = true
    isWatching = false
    guard isUsed else { return }
    seats.removeAll(keepingCapacity: true)
    conditions.removeAll(keepingCapacity: true)
    observed.removeAll(keepingCapacity: true)
  }

  /// Remembers the first violation of each invariant. The trace knows it as `mark`, else by the invariant's name.
  func violated(
    _ invariant: String, _ message: String, _ scheduler: Scheduler, diagnosis: Diagnosis? = nil,
    mark: String? = nil
  ) {
    guard !isMuted, !findings.contains(where: { $0.invariant == invariant }) else { return }
    isUsed = true
    // Part of the trace: a verdict that a replay does not repeat is nondeterminism even where nothing else is.
    scheduler.mix(mark ?? invariant)
    findings.append(
      Finding(
        invariant: invariant, diagnosis: diagnosis, message: message,
        time: VirtualInstant(nanoseconds: scheduler.now),
        step: scheduler.steps))
  }

  // MARK: names

  func path(of task: Int32, _ scheduler: Scheduler) -> String {
    guard task >= 0 else { return "an unknown task" }
    return trace(scheduler).path(ofTask: Int(task))
  }

  func trace(_ scheduler: Scheduler) -> Trace {
    let tasks = scheduler.tasks
    return Trace(
      events: Array(events),
      domains: scheduler.domains.described,
      tasks: (0..<Int32(tasks.count)).map { index in
        let parent = tasks[index].parent
        return Trace.Task(
          parent: parent >= 0 ? Int(parent) : nil, ordinal: Int(tasks[index].ordinal), name: names[index])
      },
      digest: scheduler.digest, stacks: stacks, causes: causes, decisions: decisions)
  }
}

extension Scheduler {
  /// In whose name an event happens: the running task, or between steps the one whose step has just ended.
  var eventTask: Int32 { unsafe hooks.pointee.between_steps ? frame.task : currentTask }

  var eventDomain: Int32 { unsafe hooks.pointee.between_steps ? frame.domain : currentDomain }
}
