internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// Records what happens in an execution: turns it into events and a part of the digest, tells the monitors, and keeps the
/// events if they are wanted.
final class Recorder {
  private let monitors: Monitors
  private var log = EventLog()
  private var names: [Int32: String] = [:]
  private var calls = 0
  private(set) var keepsEvents = false
  /// The objects that stay in memory until the execution is over.
  private var kept: [any Sendable] = []
  /// The objects that can be found by name until the execution is over.
  private var attached: [String: any Sendable] = [:]
  private var isMuted = false
  /// True if names or objects of this execution are kept.
  private var isUsed = false

  init(_ monitors: Monitors) {
    self.monitors = monitors
  }

  /// True if steps are to be recorded as events.
  var wantsSteps: Bool { keepsEvents || monitors.wantsSteps }

  /// Forgets the last execution.
  func begin(keepingEvents: Bool) {
    isMuted = false
    if keepsEvents { log = EventLog() }
    keepsEvents = keepingEvents
    calls = 0
    monitors.begin()
    guard isUsed else { return }
    isUsed = false
    names.removeAll(keepingCapacity: true)
    kept.removeAll(keepingCapacity: true)
    attached.removeAll(keepingCapacity: true)
  }

  /// The place where the task of the last step went on, and its callers; empty unless events are kept.
  var stackOfStep: [UInt] { log.stacks.last ?? [] }

  /// Stops recording and judging.
  func mute() {
    isMuted = true
    monitors.mute()
  }

  /// Notes that the execution is over.
  func ended(_ scheduler: Scheduler, _ ending: ExecutionEnding) { monitors.ended(scheduler, ending) }

  func keep(_ object: any Sendable) {
    isUsed = true
    kept.append(object)
  }

  func attach(_ object: any Sendable, named name: String) {
    isUsed = true
    attached[name] = object
  }

  func attached(_ name: String) -> (any Sendable)? { attached[name] }

  /// Releases what was attached, when the execution is over and nothing of it runs anymore: the objects may have to clean up.
  func detach() {
    if isUsed { attached.removeAll(keepingCapacity: true) }
  }

  func name(_ task: Int32, _ name: String) {
    isUsed = true
    names[task] = name
  }

  /// Returns the number of the next call to a fake.
  func nextCall() -> Int {
    calls += 1
    return calls
  }
}

// MARK: - What happens

extension Recorder {
  /// Notes that a step begins. If events are kept, so is the place where its task goes on.
  func sawStep(of job: UnsafeMutableRawPointer, arrival: Strategies.Candidate.ID, _ scheduler: Scheduler) {
    guard !isMuted else { return }
    if keepsEvents {
      let stack =
        unsafe scheduler.codeOfWork(job)
        ?? scheduler.task(behind: job).map { unsafe SuspendedTask.addresses(of: $0) } ?? []
      log.step(arrival, stack)
    }
    saw(.step, scheduler)
  }

  /// Notes that a step that was parked at `stack` goes on.
  func sawRest(of stack: [UInt], arrival: Strategies.Candidate.ID, _ scheduler: Scheduler) {
    guard !isMuted else { return }
    if keepsEvents { log.step(arrival, stack) }
    saw(.step, scheduler)
  }

  /// Notes that something became runnable in step `step`, or between steps if that is 0.
  func arrived(_ id: Strategies.Candidate.ID, inStep step: Int) {
    guard !isMuted else { return }
    log.arrivals[id] = step
  }

  /// Notes that the choice at `position` was not the natural one.
  func decided(at position: Int, _ decision: Trace.Decision) {
    guard keepsEvents, !isMuted else { return }
    log.decisions[position] = decision
  }

  /// Describes, for a person to read, the next timer whose end is a range.
  func nextTimer(_ subject: String) {
    guard keepsEvents, !isMuted else { return }
    log.subject = subject
  }

  /// Notes that a timer whose end is a range has been set.
  func setTimer(_ order: UInt32, inStep step: Int) {
    guard keepsEvents, !isMuted else { return }
    log.timers[order] = .init(subject: log.subject ?? "a sleep", step: step)
    log.subject = nil
  }

  /// Notes that the choice at `position` put off a timer. When the timer fires is noted later.
  func putOff(_ range: TimerRange, at position: Int) {
    let natural = range.length(to: range.earliest)
    decided(at: position, .init(taken: "longer", natural: natural, timer: log.timers[range.order]))
  }

  /// Notes that a timer that was put off fires at `instant`, by the choice at `position`, or without one if that is negative.
  func fired(_ range: TimerRange, at instant: Int64, position: Int) {
    guard keepsEvents, !isMuted else { return }
    let taken = range.length(to: instant)
    func decided(at position: Int, insteadOf natural: Int64) {
      guard position >= 0 else { return }
      self.decided(
        at: position,
        .init(taken: taken, natural: range.length(to: natural), timer: log.timers[range.order]))
    }
    decided(at: range.position, insteadOf: range.earliest)
    decided(at: position, insteadOf: range.latest)
  }

  /// Shows that an anytime action happens. This is not part of the digest: the action itself records what it does.
  func acted(_ name: String, _ scheduler: Scheduler) {
    guard keepsEvents, !isMuted else { return }
    log.add(
      Trace.Event(
        time: VirtualInstant(nanoseconds: scheduler.now), step: scheduler.state.steps, domain: 0, task: nil,
        kind: .anytime(name)))
  }

  /// Shows that work escapes from the simulation. This is not part of the digest: nothing follows.
  func left(_ text: String, _ scheduler: Scheduler) {
    guard keepsEvents, !isMuted else { return }
    log.add(event(.note(text), scheduler))
  }

  /// Shows what happens in the middle of a step. This is not part of the digest either: the choices determine it.
  func showed(_ text: String, _ scheduler: Scheduler) { left(text, scheduler) }

  func saw(_ kind: Trace.Event.Kind, _ scheduler: Scheduler) {
    guard !isMuted else { return }
    if kind != .step { scheduler.mix(kind) }
    switch kind {
    case .began(let call): scheduler.sawCall(call, at: 1)
    case .effect(let call, _): scheduler.sawCall(call, at: 2)
    case .ended(let call, _): scheduler.sawCall(call, at: 3)
    default: break
    }
    tell(kind, scheduler)
  }

  /// Notes that the program cancels a task, or those of a group. Monitors see this and the event is kept, but it is not
  /// part of the digest: its effects are.
  func sawCancel(of task: Int32?, _ scheduler: Scheduler) {
    if !isMuted { tell(.taskCancelled(task.map(Int.init)), scheduler) }
  }

  private func tell(_ kind: Trace.Event.Kind, _ scheduler: Scheduler) {
    guard keepsEvents || monitors.areListening else { return }
    if scheduler.chooser.followsDependencies, kind != .step || monitors.areListening {
      scheduler.chooser.accessed(.watched, .exclusive)
    }
    let event = event(kind, scheduler)
    if keepsEvents { keep(event) }
    monitors.saw(event, scheduler)
  }

  // Not inlined: otherwise the copy to keep would be made even if none is kept.
  @inline(never)
  private func keep(_ event: Trace.Event) { log.add(event) }

  private func event(_ kind: Trace.Event.Kind, _ scheduler: Scheduler) -> Trace.Event {
    let task = kind == .step ? scheduler.state.frame.task : scheduler.eventTask
    let domain = kind == .step ? scheduler.state.frame.domain : scheduler.eventDomain
    return Trace.Event(
      time: VirtualInstant(nanoseconds: scheduler.now), step: scheduler.state.steps,
      domain: Int(max(0, domain)), task: task >= 0 ? Int(task) : nil, kind: kind)
  }
}

// MARK: - The trace

extension Recorder {
  /// Returns the name of a task for use in a sentence.
  func path(of task: Int32, _ scheduler: Scheduler) -> String {
    guard task >= 0 else { return "an unknown task" }
    return Trace.path(ofTask: Int(task)) { described(Int32($0), scheduler.tasks) }
  }

  /// Returns the name of a task as reports use it.
  func name(of task: Int32, _ scheduler: Scheduler) -> String {
    let path = path(of: task, scheduler)
    return path.first?.isNumber == true && names[task] == nil ? "task \(path)" : path
  }

  /// Returns the last step that `task` began; nil if events are not kept. O(events).
  func lastStep(of task: Int32) -> Trace.Event? { log.lastStep(of: Int(task)) }

  func trace(_ scheduler: Scheduler) -> Trace {
    let tasks = scheduler.tasks
    let shown = log.tasksShown { tasks[Int32($0)].parent }
    return Trace(
      events: Array(log.events),
      domains: scheduler.domains.described,
      tasks: (0..<Int32(tasks.count)).map { index in
        described(index, tasks, isNamed: shown?.contains(Int(index)) ?? true)
      },
      digest: scheduler.state.digest, stacks: log.stacks, causes: log.causes, decisions: log.decisions)
  }

  private func described(_ index: Int32, _ tasks: Tasks, isNamed: Bool = true) -> Trace.Task {
    let parent = tasks[index].parent
    return Trace.Task(
      parent: parent >= 0 ? Int(parent) : nil, ordinal: Int(tasks[index].ordinal),
      name: isNamed ? names[index] : nil)
  }
}

extension TimerRange {
  /// Returns the time that it has waited by `instant`, for a person to read.
  fileprivate func length(to instant: Int64) -> String { Duration.nanoseconds(instant - start).shortText }
}
