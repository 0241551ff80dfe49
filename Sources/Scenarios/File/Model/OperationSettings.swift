/// How a call of a fake's operation behaves; nil is left to the fake.
struct OperationSettings: Codable, Equatable, Sendable {
  /// How long the caller waits.
  var delay: TimeOffer?
  /// How long the caller's domain stays closed.
  var spend: TimeOffer?
  /// Names from the descriptor's replies.
  var reply: Alternatives<String>?
  /// Names from the descriptor's faults.
  var fails: Alternatives<String>?
  /// Whether the call goes on when its task is cancelled.
  var ignoresCancel: Alternatives<Bool>?

  /// These, and what they leave open taken from `other`.
  func filled(from other: OperationSettings) -> OperationSettings {
    OperationSettings(
      delay: delay ?? other.delay, spend: spend ?? other.spend, reply: reply ?? other.reply,
      fails: fails ?? other.fails, ignoresCancel: ignoresCancel ?? other.ignoresCancel)
  }
}
