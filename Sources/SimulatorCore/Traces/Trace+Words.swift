extension Trace {
  /// Returns an event in words for a person.
  package func text(_ event: Trace.Event) -> String {
    switch event.kind {
    case .step: excerpt(ofStep: event).text
    case .began(let call): "\(call.operation)\(detail(call)) begins"
    case .effect(let call, let what): "\(call.operation) \(what)"
    case .cancellation(let call, let honored):
      "\(call.operation) is cancelled" + (honored ? "" : " and goes on")
    case .ended(let call, let outcome): "\(call.operation) \(outcome)"
    case .actionBegan(let action): "▶ \(action.label)"
    case .actionEnded(let action, let outcome): "■ \(action.label) \(outcome)"
    case .cancelled(let action): "✕ cancel \(action.label)"
    case .taskCancelled(let task): "cancels " + (task.map { name(ofTask: $0) } ?? "the tasks of a group")
    case .appeared(let owner): "○ \(owner) appears"
    case .dismissed(let owner): "✕ \(owner) is dismissed"
    case .changed(let name, let from, let to):
      Self.changes(of: name, from, to).map { "\($0.name): \($0.before) → \($0.after)" }.joined(
        separator: "; ")
    case .spent(let duration): "works for \(duration.shortText)"
    case .anytime(let name): "now: \(name)"
    case .resumedTwice(let task): "resumed a second time: \(task)"
    case .died(let process): "\(process) dies"
    case .relaunched: "the app is launched again"
    case .offline(let start, let end): "no connection from \(start) to \(end)"
    case .cancelledNothing(let label): "cancel \(label): it has not begun"
    case .crashed: "✗ the process ends"
    case .hung: "✗ does not return"
    case .note(let text): text
    }
  }

  /// Returns an event with its task and its domain, for a line of its own; for nil, that the trace has ended.
  package func sentence(_ event: Trace.Event?) -> String { excerpt(event).text }

  /// Returns a task's name as sentences use it.
  package func name(ofTask index: Int) -> String {
    tasks[index].name ?? (index == 0 ? "root" : "task \(path(ofTask: index))")
  }

  /// Returns true if no step of the program caused the event.
  package func isFromOutside(_ event: Trace.Event) -> Bool {
    switch event.kind {
    case .cancelled: true
    case .cancellation: domains[event.domain].kind == .pool
    default: event.anytimeAction != nil
    }
  }

  private func detail(_ call: Trace.Call) -> String { call.detail == .none ? "" : " \(call.detail)" }

  /// Returns the change of the observed value `name`; for a record, only the parts that have changed.
  package static func changes(
    of name: String, _ from: Trace.Value, _ to: Trace.Value
  ) -> [(name: String, before: Trace.Value, after: Trace.Value)] {
    guard case .record(let old) = from, case .record(let new) = to, old.map(\.name) == new.map(\.name) else {
      return [(name, from, to)]
    }
    return zip(old, new).filter { $0 != $1 }.map { ("\(name) \($0.name)", $0.value, $1.value) }
  }

  /// Returns the place at which a step goes on: the innermost user code that belongs to no fake.
  package func place(of step: Trace.Event) -> Trace.CodePlace? { Trace.innermost(places(ofStep: step.step)) }
}

extension Trace {
  /// Describes step `number`: its task, its domain, its source line, and the time; nil if the events were not kept.
  package func describe(step number: Int) -> String? {
    guard let event = events.first(where: { $0.kind == .step && $0.step == number }) else { return nil }
    let task = event.task.map { name(ofTask: $0) } ?? "somebody"
    let place = place(of: event).map { ", \($0)" } ?? ""
    return "step \(number) at \(event.time): \(task) on \(domains[event.domain])\(place)"
  }
}
