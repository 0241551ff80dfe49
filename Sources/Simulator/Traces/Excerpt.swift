extension Trace {
  /// An event in a sentence, apart from its trace. The source line in it is looked for when the sentence is asked for: that
  /// takes milliseconds, and most sentences are never read.
  struct Excerpt: Hashable, Sendable {
    /// Of a step, its task; else the sentence, but for its end.
    let subject: String
    /// Where a step goes on, and its callers.
    let stack: [UInt]
    /// What a step does: it begins, or goes on.
    let does: String
    let end: String

    var text: String {
      guard let place = Trace.innermost(Symbols.places(ofStack: stack)) else {
        return subject + does + end
      }
      return "\(subject)\(does) in \(place)\(end)"
    }
  }

  /// The event with its task and its domain, for a line of its own; of nil it says that the trace has ended.
  func excerpt(_ event: Trace.Event?) -> Excerpt {
    guard let event else { return Excerpt(subject: "ends", stack: [], does: "", end: "") }
    guard event.kind != .step else { return excerpt(ofStep: event, end: ", on \(domains[event.domain])") }
    let place = isFromOutside(event) ? ", at \(event.time)" : ", on \(domains[event.domain]) at \(event.time)"
    return Excerpt(subject: text(event), stack: [], does: "", end: place)
  }

  /// A step with its task and where that goes on.
  func excerpt(ofStep event: Trace.Event, end: String = "") -> Excerpt {
    let isFirst = events.first { $0.kind == .step && $0.task == event.task } == event
    return Excerpt(
      subject: event.task.map { name(ofTask: $0) } ?? "somebody",
      stack: stacks.indices.contains(event.step - 1) ? stacks[event.step - 1] : [],
      does: isFirst ? " begins" : " goes on", end: end)
  }

  /// The innermost user code that is no fake's.
  static func innermost(_ places: [Trace.CodePlace]) -> Trace.CodePlace? {
    places.first { !$0.isFake } ?? places.first
  }
}
