/// The events of a trace that a violation depends on.
///
/// A step matters when the violation comes after it: the same task's next step, the next one on the same domain, and
/// the steps that it made runnable come after a step. Of those that matter, the ones that tell something are shown:
/// events, and steps of user code on an actor where no fake was called.
struct Slice {
  /// The events to show, in order.
  private(set) var events: [Trace.Event] = []
  /// What each observed value was at first.
  private(set) var initial: [(name: String, value: Trace.Value)] = []
  private let trace: Trace

  /// What a violation noticed at `last` depends on; the steps in `marked` are shown in any case.
  init(_ trace: Trace, upTo last: Int, showing marked: Set<Int>) {
    self.trace = trace
    let steps = trace.events.filter { $0.kind == .step && $0.step <= last }
    let isAtEnd = last >= (trace.events.last?.step ?? 0)
    let matters = Self.past(of: steps, in: trace, isAtEnd: isAtEnd, last)
    // What broke the invariant, even where no place of the program's is known: a handler that a library calls.
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

  /// The steps that `last` comes after, itself included; at the end of an execution, all that told something and what
  /// those come after. O(steps).
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
  /// How many events there are up to the end of step `last`, without the actions that follow it.
  fileprivate func length(upTo last: Int) -> Int {
    let end = events.firstIndex { $0.step > last } ?? events.endIndex
    guard end < events.endIndex else { return end }
    let step = events[..<end].lastIndex { $0.kind == .step } ?? 0
    return events[step..<end].firstIndex { $0.anytimeAction != nil } ?? end
  }
}
