/// Puts events into the words of a timeline: what a step is doing stands before what happens in it.
struct TimelineRenderer {
  let trace: Trace
  /// Where the schedule left the natural order.
  let marks: [Invariant.Shrinking.Mark]

  /// What is told of one event.
  struct Told {
    let event: Trace.Event
    let text: String
    let isMarked: Bool
  }

  /// A row for each step that has a place and for each event; a cancel that may come anytime is told once.
  func rows(_ events: [Trace.Event]) -> [Explorer.Timeline.Row] {
    told(events).map { told in
      let domain = trace.isFromOutside(told.event) ? nil : told.event.domain
      return .init(time: told.event.time, domain: domain, text: (told.isMarked ? "» " : "") + told.text)
    }
  }

  /// The same, each with its event.
  func told(_ events: [Trace.Event]) -> [Told] {
    var all: [Told] = []
    var isMarked = false
    for (index, event) in events.enumerated() {
      if event.kind == .step { isMarked = marks.contains(.init(step: event.step, isAction: false)) }
      if event.anytimeAction != nil { isMarked = marks.contains(.init(step: event.step, isAction: true)) }
      if case .cancelled = event.kind, !isMarked {
        isMarked = marks.contains(.init(step: event.step, isAction: true))
      }
      // It is the same cancel, told already.
      if case .taskCancelled = event.kind, index > 0, case .cancelled = events[index - 1].kind { continue }
      let next = index + 1 < events.count ? events[index + 1] : nil
      guard let text = text(event, before: next) else { continue }
      all.append(Told(event: event, text: text, isMarked: isMarked))
      isMarked = false
    }
    return all
  }

  /// Nil for what is told by the event that follows it.
  private func text(_ event: Trace.Event, before next: Trace.Event?) -> String? {
    if let action = event.anytimeAction {
      if case .cancelled? = next?.kind { return nil }
      return "\(action), now"
    }
    guard event.kind == .step else { return trace.text(event) }
    let task = event.task.map { trace.name(ofTask: $0) } ?? "somebody"
    if let place = trace.place(of: event) {
      return "\(task): \(short(place, on: trace.domains[event.domain]))"
    }
    return next?.step == event.step && next?.kind != .step ? nil : task
  }

  /// Without the type where the column or the file is called like it.
  private func short(_ place: Trace.CodePlace, on domain: Trace.Domain) -> String {
    let file = place.file.prefix { $0 != "." }
    for prefix in [domain.type + ".", file + "."] where place.function.hasPrefix(prefix) {
      return "\(place.function.dropFirst(prefix.count)) \(place.file):\(place.line)"
    }
    return place.description
  }
}
