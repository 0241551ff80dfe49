internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The record of an execution for its trace. If there are very many events, only the first and the last are kept, so
/// that an execution that never ends does not fill the memory.
struct EventLog {
  private static let mostEvents = 200_000
  private static let firstEvents = mostEvents / 2
  /// The number of events that are left out at once.
  private static let eventsLeftOut = mostEvents / 4
  /// The number of events that have been left out, and the last step of each task among them.
  private var leftOut = 0
  private var lastSteps: [Int: Trace.Event] = [:]

  var events: ContiguousArray<Trace.Event> = []
  /// The place where the task of each step goes on, and its callers.
  var stacks: [[UInt]] = []
  /// The step in which each step became runnable.
  var causes: [Int] = []
  /// The step in which each arrival that has not run yet became runnable.
  var arrivals: [Strategies.Candidate.ID: Int] = [:]
  var decisions: [Int: Trace.Decision] = [:]
  /// The timers whose end is a range, and the subject of the next one.
  var timers: [UInt32: Trace.Decision.Timer] = [:]
  var subject: String?

  /// Returns the last step that `task` began. O(events).
  func lastStep(of task: Int) -> Trace.Event? {
    let kept = events.last { $0.task == task && $0.kind == .step }
    guard let leftOut = lastSteps[task] else { return kept }
    return kept.map { $0.step > leftOut.step ? $0 : leftOut } ?? leftOut
  }

  mutating func add(_ event: Trace.Event) {
    events.append(event)
    if events.count >= Self.mostEvents { leaveOut() }
  }

  /// Leaves out the events in the middle, and the stacks of their steps. O(events), once per `eventsLeftOut` events.
  private mutating func leaveOut() {
    // The note that an earlier call put there goes too.
    let middle = Self.firstEvents..<(Self.firstEvents + Self.eventsLeftOut)
    leftOut += middle.count - (leftOut > 0 ? 1 : 0)
    for event in events[middle] where event.kind == .step {
      if let task = event.task { lastSteps[task] = event }
    }
    let first = events[middle.lowerBound]
    for step in first.step..<events[middle.upperBound].step where stacks.indices.contains(step - 1) {
      stacks[step - 1] = []
    }
    events.replaceSubrange(
      middle,
      with: CollectionOfOne(
        Trace.Event(
          time: first.time, step: first.step, domain: first.domain, task: nil,
          kind: .note("\(leftOut) events are left out here"))))
  }

  mutating func step(_ arrival: Strategies.Candidate.ID, _ stack: [UInt]) {
    causes.append(arrivals.removeValue(forKey: arrival) ?? 0)
    stacks.append(stack)
  }

  /// Returns the tasks that a reader of the trace meets if events are left out: those of the events that are kept, and
  /// their ancestors. Returns nil if no events are left out.
  func tasksShown(_ parent: (Int) -> Int32) -> Set<Int>? {
    guard leftOut > 0 else { return nil }
    var shown: Set<Int> = []
    for case var task? in events.lazy.map(\.task) {
      while shown.insert(task).inserted {
        let above = parent(task)
        if above < 0 { break }
        task = Int(above)
      }
    }
    return shown
  }
}
