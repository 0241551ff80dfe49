/// Hashes what happens, the same way in every process: no addresses, no seeds.
///
/// Multiply and fold over 64-bit words; strings by FNV-1a. Not for secrets.
enum Digest {
  static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return high ^ low &+ 0xE703_7ED1_A0B4_28DB
  }

  static func mix(_ state: UInt64, _ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return mix(state, hash)
  }

  static func mix(_ state: UInt64, _ kind: Event.Kind) -> UInt64 {
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
