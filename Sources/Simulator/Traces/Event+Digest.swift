extension Digest {
  /// The digest of a trace, whose digest was `state`, after an event at `time`, in nanoseconds.
  static func mix(_ state: UInt64, _ kind: Trace.Event.Kind, at time: Int64) -> UInt64 {
    mix(state ^ UInt64(bitPattern: time), kind)
  }

  private static func mix(_ state: UInt64, _ kind: Trace.Event.Kind) -> UInt64 {
    switch kind {
    case .step: mix(state, 1)
    case .began(let call): mix(mix(mix(mix(state, 2), call.fake), call.operation), call.detail.description)
    case .effect(let call, let text): mix(mix(mix(state, 3), UInt64(call.id)), text)
    case .cancellation(let call, let honoured): mix(mix(mix(state, 4), UInt64(call.id)), honoured ? 1 : 0)
    case .ended(let call, let outcome): mix(mix(mix(state, 5), UInt64(call.id)), outcome.description)
    case .actionBegan(let action): mix(mix(state, 6), action.label)
    case .actionEnded(let action, let outcome): mix(mix(mix(state, 7), action.label), outcome.description)
    case .cancelled(let action): mix(mix(state, 8), action.label)
    case .dismissed(let owner): mix(mix(state, 9), owner)
    case .changed(let name, _, let to): mix(mix(mix(state, 10), name), to.description)
    case .spent(let duration): mix(mix(state, 11), UInt64(bitPattern: duration.wholeNanoseconds))
    case .note(let text): mix(mix(state, 12), text)
    case .appeared(let owner): mix(mix(state, 13), owner)
    }
  }
}
