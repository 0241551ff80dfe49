extension Trace {
  /// An event in a sentence, detached from its trace. Its source line is looked up only when the sentence is asked for:
  /// that takes milliseconds, and most sentences are never read.
  package struct Excerpt: Hashable, Sendable {
    /// The task of a step; for other events, the sentence without its end.
    let subject: String
    /// The address at which a step goes on, and those of its callers.
    let stack: [UInt]
    /// The action of a step: it begins, or goes on.
    let does: String
    let end: String

    var text: String {
      guard let place = Trace.innermost(Symbols.places(ofStack: stack)) else {
        return subject + does + end
      }
      return "\(subject)\(does) in \(place)\(end)"
    }
  }

  /// Returns the event with its task and its domain, for a line of its own; for nil, that the trace has ended.
  package func excerpt(_ event: Trace.Event?) -> Excerpt {
    guard let event else { return Excerpt(subject: "ends", stack: [], does: "", end: "") }
    guard event.kind != .step else { return excerpt(ofStep: event, end: ", on \(domains[event.domain])") }
    let place = isFromOutside(event) ? ", at \(event.time)" : ", on \(domains[event.domain]) at \(event.time)"
    return Excerpt(subject: text(event), stack: [], does: "", end: place)
  }

  /// Returns a step with its task and the place at which the task goes on.
  func excerpt(ofStep event: Trace.Event, end: String = "") -> Excerpt {
    let isFirst = events.first { $0.kind == .step && $0.task == event.task } == event
    return Excerpt(
      subject: event.task.map { name(ofTask: $0) } ?? "somebody",
      stack: stacks.indices.contains(event.step - 1) ? stacks[event.step - 1] : [],
      does: isFirst ? " begins" : " goes on", end: end)
  }

  /// Returns the innermost user code that belongs to no fake; if there is none, the innermost user code.
  package static func innermost(_ places: [Trace.CodePlace]) -> Trace.CodePlace? {
    places.first { !$0.isFake } ?? places.first
  }
}
