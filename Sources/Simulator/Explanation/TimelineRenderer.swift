internal import SimulatorCore

/// Turns events into the text of a timeline. The row of a step comes before the rows of what happens in it.
struct TimelineRenderer {
  let trace: Trace
  /// The points at which the schedule left the natural order.
  let marks: [Invariant.Shrinking.Mark]

  /// The text for one event.
  struct Told {
    let event: Trace.Event
    let text: String
    let isMarked: Bool
  }

  /// Returns a row for each step that has a place and for each event. A cancel that may come at any time has one row.
  func rows(_ events: [Trace.Event]) -> [Explorer.Timeline.Row] {
    told(events).map { told in
      let domain = trace.isFromOutside(told.event) ? nil : told.event.domain
      return .init(time: told.event.time, domain: domain, text: (told.isMarked ? "» " : "") + told.text)
    }
  }

  /// Returns the same texts, each with its event.
  func told(_ events: [Trace.Event]) -> [Told] {
    var all: [Told] = []
    var isMarked = false
    for (index, event) in events.enumerated() {
      if event.kind == .step { isMarked = marks.contains(.init(step: event.step, isAction: false)) }
      if event.anytimeAction != nil { isMarked = marks.contains(.init(step: event.step, isAction: true)) }
      if case .cancelled = event.kind, !isMarked {
        isMarked = marks.contains(.init(step: event.step, isAction: true))
      }
      // This is the same cancel, which already has a row.
      if case .taskCancelled = event.kind, index > 0, case .cancelled = events[index - 1].kind { continue }
      let next = index + 1 < events.count ? events[index + 1] : nil
      guard let text = text(event, before: next) else { continue }
      all.append(Told(event: event, text: text, isMarked: isMarked))
      isMarked = false
    }
    return all
  }

  /// Returns the text of an event; nil if the event that follows it provides the text.
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

  /// Returns the place without its type if the column or the file has the same name.
  private func short(_ place: Trace.CodePlace, on domain: Trace.Domain) -> String {
    let file = place.file.prefix { $0 != "." }
    for prefix in [domain.type + ".", file + "."] where place.function.hasPrefix(prefix) {
      return "\(place.function.dropFirst(prefix.count)) \(place.file):\(place.line)"
    }
    return place.description
  }
}
