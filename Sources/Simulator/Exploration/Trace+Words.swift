extension Trace {
  /// An event in a person's words.
  func text(_ event: Event) -> String {
    switch event.kind {
    case .step: stepText(event)
    case .began(let call): "\(call.operation)\(detail(call)) begins"
    case .effect(let call, let what): "\(call.operation) \(what)"
    case .cancellation(let call, let honoured):
      "\(call.operation) is cancelled" + (honoured ? "" : " and goes on")
    case .ended(let call, let outcome): "\(call.operation) \(outcome)"
    case .actionBegan(let action): "▶ \(action.label)"
    case .actionEnded(let action, let outcome): "■ \(action.label) \(outcome)"
    case .cancelled(let action): "✕ cancel \(action.label)"
    case .dismissed(let owner): "✕ \(owner) is dismissed"
    case .changed(let name, let from, let to): "\(name): \(from) → \(to)"
    case .spent(let duration): "works for \(duration.shortText)"
    case .note(let text): text
    }
  }

  /// An event with its task and its domain, for a line of its own; what `nil` says is that the trace has ended.
  func sentence(_ event: Event?) -> String {
    guard let event else { return "ends" }
    guard event.kind != .step else { return "\(stepText(event)), on \(domains[event.domain])" }
    return "\(text(event)), on \(domains[event.domain]) at \(event.time)"
  }

  private func detail(_ call: Call) -> String { call.detail == .none ? "" : " \(call.detail)" }

  private func stepText(_ event: Event) -> String {
    let task = event.task.map { path(ofTask: $0) } ?? "a task"
    guard let place = places(ofStep: event.step).first else {
      let isFirst = events.first { $0.kind == .step && $0.task == event.task } == event
      return task + (isFirst ? " begins" : " goes on")
    }
    return "\(task): \(place)"
  }
}
