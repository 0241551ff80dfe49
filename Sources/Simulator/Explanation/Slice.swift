internal import SimulatorCore

/// The events of a trace that a violation depends on.
///
/// A step matters if the violation comes after it. After a step come the next step of its task, the next step on its
/// domain, and the steps that it made runnable. Of the steps that matter, only informative ones are shown: events, and
/// steps of user code on an actor in which no fake was called.
struct Slice {
  /// The events to show, in order.
  private(set) var events: [Trace.Event] = []
  /// The initial state of each observed value.
  private(set) var initial: [(name: String, value: Trace.Value)] = []
  private let trace: Trace

  /// Selects what a violation noticed at `last` depends on. The steps in `marked` are always shown.
  init(_ trace: Trace, upTo last: Int, showing marked: Set<Int>) {
    self.trace = trace
    let steps = trace.events.filter { $0.kind == .step && $0.step <= last }
    let isAtEnd = last >= (trace.events.last?.step ?? 0)
    let matters = Self.past(of: steps, in: trace, isAtEnd: isAtEnd, last)
    // The step that broke the invariant is shown even if it has no known place in the program, as in a handler that a
    // library calls.
    let culprit = isAtEnd ? nil : last
    var begun: Set<String> = []
    for event in trace.events.prefix(trace.length(upTo: last)) {
      switch event.kind {
      case .changed(let name, .none, let to) where begun.insert(name).inserted: initial.append((name, to))
      case .step:
        let isCulprit = event.step == culprit && trace.domains[event.domain].serializesProgram
        if isCulprit || isTold(event, matters) || marked.contains(event.step) { events.append(event) }
      default:
        if case .changed(let name, _, _) = event.kind { begun.insert(name) }
        if matters.contains(event.step) || event.step == 0 || event.task == nil { events.append(event) }
      }
    }
  }

  private func isTold(_ step: Trace.Event, _ matters: Set<Int>) -> Bool {
    matters.contains(step.step) && trace.domains[step.domain].serializesProgram
      && !trace.places(ofStep: step.step).isEmpty
  }

  /// Returns `last` and the steps that it comes after. At the end of an execution, returns all steps with events and
  /// the steps that those come after. O(steps).
  private static func past(of steps: [Trace.Event], in trace: Trace, isAtEnd: Bool, _ last: Int) -> Set<Int> {
    var matters: Set<Int> = [last]
    if isAtEnd {
      for event in trace.events where event.kind != .step { matters.insert(event.step) }
    }
    var tasks: Set<Int> = []
    var domains: Set<Int> = []
    for step in steps.reversed() {
      let isWanted =
        matters.contains(step.step) || step.task.map(tasks.contains) ?? false || domains.contains(step.domain)
      guard isWanted else { continue }
      matters.insert(step.step)
      if let task = step.task { tasks.insert(task) }
      if trace.domains[step.domain].isSerial { domains.insert(step.domain) }
      if trace.causes.indices.contains(step.step - 1) { matters.insert(trace.causes[step.step - 1]) }
    }
    return matters
  }
}

extension Trace {
  /// Returns the number of events up to the end of step `last`, without the actions that follow it.
  fileprivate func length(upTo last: Int) -> Int {
    let end = events.firstIndex { $0.step > last } ?? events.endIndex
    guard end < events.endIndex else { return end }
    let step = events[..<end].lastIndex { $0.kind == .step } ?? 0
    return events[step..<end].firstIndex { $0.anytimeAction != nil } ?? end
  }
}
