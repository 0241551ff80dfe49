/// How the fakes behave; whatever is not mentioned behaves naturally.
package struct WorldScript: Codable, Equatable, Sendable {
  /// What the file says about one operation.
  package struct Entry: Codable, Equatable, Sendable {
    package let fake: String
    package let operation: String
    let script: OperationScript
  }

  /// In the order of the file.
  package let entries: [Entry]
  /// The times without a connection, in the order of the file; they do not overlap.
  package var offline: [OfflinePeriod] = []

  /// What the file says about an operation; nil when it says nothing.
  package subscript(fake: String, operation: String) -> OperationScript? {
    entries.first { $0.fake == fake && $0.operation == operation }?.script
  }
}

/// How one operation of a fake behaves, call after call.
package struct OperationScript: Codable, Equatable, Sendable {
  /// What holds for every call that does not say otherwise.
  package var everyCall = OperationSettings()
  /// What the first call, the second, … override; the last one's holds for all further calls.
  package var calls: [OperationSettings] = []

  package init(everyCall: OperationSettings = OperationSettings()) {
    self.everyCall = everyCall
  }

  /// What the call number `index`, counted from zero, is like.
  package func settings(forCall index: Int) -> OperationSettings {
    guard let last = calls.indices.last else { return everyCall }
    return calls[min(index, last)].filled(from: everyCall)
  }
}

/// How a call of a fake's operation behaves; nil is left to the fake.
package struct OperationSettings: Codable, Equatable, Sendable {
  /// How long the call takes to the fake, where the delay is the way back.
  package var arrivalDelay: TimeOffer?
  /// How long the caller waits.
  package var delay: TimeOffer?
  /// How long the caller's domain stays closed.
  package var spend: TimeOffer?
  /// Names from the descriptor's replies.
  package var reply: Alternatives<String>?
  /// Names from the descriptor's faults.
  package var fails: Alternatives<String>?
  /// Whether the call goes on when its task is cancelled.
  package var ignoresCancel: Alternatives<Bool>?

  /// These, and what they leave open taken from `other`.
  func filled(from other: OperationSettings) -> OperationSettings {
    OperationSettings(
      arrivalDelay: arrivalDelay ?? other.arrivalDelay, delay: delay ?? other.delay,
      spend: spend ?? other.spend,
      reply: reply ?? other.reply, fails: fails ?? other.fails,
      ignoresCancel: ignoresCancel ?? other.ignoresCancel)
  }
}
