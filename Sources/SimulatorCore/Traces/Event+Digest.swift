extension Digest {
  /// Returns the digest of a trace, whose digest was `state`, after an event at `time`, in nanoseconds.
  package static func mix(_ state: UInt64, _ kind: Trace.Event.Kind, at time: Int64) -> UInt64 {
    mix(state ^ UInt64(bitPattern: time), kind)
  }

  private static func mix(_ state: UInt64, _ kind: Trace.Event.Kind) -> UInt64 {
    switch kind {
    case .step: mix(state, 1)
    case .began(let call): mix(mix(mix(mix(state, 2), call.fake), call.operation), saying: call.detail)
    case .effect(let call, let text): mix(mix(mix(state, 3), UInt64(call.id)), text)
    case .cancellation(let call, let honored): mix(mix(mix(state, 4), UInt64(call.id)), honored ? 1 : 0)
    case .ended(let call, let outcome): mix(mix(mix(state, 5), UInt64(call.id)), saying: outcome)
    case .actionBegan(let action): mix(mix(state, 6), action.label)
    case .actionEnded(let action, let outcome): mix(mix(mix(state, 7), action.label), saying: outcome)
    case .cancelled(let action): mix(mix(state, 8), action.label)
    case .dismissed(let owner): mix(mix(state, 9), owner)
    case .changed(let name, _, let to): mix(mix(mix(state, 10), name), saying: to)
    case .spent(let duration): mix(mix(state, 11), UInt64(bitPattern: duration.wholeNanoseconds))
    case .note(let text): mix(mix(state, 12), text)
    case .appeared(let owner): mix(mix(state, 13), owner)
    // These were notes once, and recorded tokens have the digests of those.
    case .resumedTwice(let task): mix(state, .note("resumed a second time: \(task)"))
    case .died(let process): mix(state, .note("\(process) dies"))
    case .relaunched: mix(state, .note("the app is launched again"))
    case .offline(let start, let end): mix(state, .note("no connection from \(start) to \(end)"))
    case .cancelledNothing(let label): mix(state, .note("cancel \(label): it has not begun"))
    case .crashed: mix(state, .note("✗ the process ends"))
    case .hung: mix(state, .note("✗ does not return"))
    case .taskCancelled, .anytime: state
    }
  }

  /// Returns the same digest as for the value's description, without making the description.
  static func mix(_ state: UInt64, saying value: Trace.Value) -> UInt64 {
    var words = Words()
    words.add(value)
    return mix(state, words.hash)
  }

  /// Returns the same digest as for the outcome's description, without making the description.
  static func mix(_ state: UInt64, saying outcome: Trace.Outcome) -> UInt64 {
    var words = Words()
    switch outcome {
    case .returned(.none): words.add("returned")
    case .returned(let value):
      words.add("returned ")
      words.add(value)
    case .threw(let error):
      words.add("threw ")
      words.add(error)
    case .cancelled: words.add("was cancelled")
    }
    return mix(state, words.hash)
  }
}

extension Digest.Words {
  /// Adds the text of the value's description.
  mutating func add(_ value: Trace.Value) {
    switch value {
    case .none: add("nothing")
    case .bool(let value): add(value ? "true" : "false")
    case .int(let value): add(value)
    case .text(let value): if value.isEmpty { add("\"\"") } else { add(value) }
    case .list(let values):
      add("[")
      for (index, value) in values.enumerated() {
        if index > 0 { add(", ") }
        add(value)
      }
      add("]")
    case .record(let fields):
      for (index, field) in fields.enumerated() {
        if index > 0 { add(", ") }
        add(field.name)
        add(": ")
        add(field.value)
      }
    }
  }
}
