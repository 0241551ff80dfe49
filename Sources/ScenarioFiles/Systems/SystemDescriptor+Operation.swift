extension SystemDescriptor {
  /// One thing that a system asks of a fake.
  public struct Operation: Hashable, Sendable {
    /// Its key in the fake's entry, such as `GET /inbox`, `GET /inbox?page=2` or `write`.
    public var name: String
    /// One line.
    public var summary: String
    /// The names for `"reply"`, the natural one first; empty if it takes no `"reply"`.
    public var replies: [String]
    /// The names for `"fails"`, the natural one first; empty if it takes no `"fails"`.
    public var faults: [String]
    /// The other keys that may be set; `reply` and `fails` follow from the two lists.
    public var acceptedKeys: Set<OperationKey>
    /// The time for which its work may keep the caller's domain closed in a generated story. If nil, that is a second for an
    /// operation that takes no other time, and no time for every other.
    public var spends: Nanoseconds?

    /// An operation.
    public init(
      _ name: String, _ summary: String, replies: [String] = [], faults: [String] = [],
      acceptedKeys: Set<OperationKey> = [.arrivalDelay, .delay, .spend, .ignoresCancel, .calls],
      spends: Nanoseconds? = nil
    ) {
      self.name = name
      self.summary = summary
      self.replies = replies
      self.faults = faults
      self.acceptedKeys = acceptedKeys
      self.spends = spends
    }
  }
}

extension SystemDescriptor.Operation {
  /// The keys that a file may give this operation, in the order in which they are explained.
  package var keys: [OperationKey] {
    OperationKey.allCases.filter { key in
      switch key {
      case .reply: !replies.isEmpty
      case .fails: !faults.isEmpty
      default: acceptedKeys.contains(key)
      }
    }
  }
}

/// A key that a scenario may set for an operation of a fake.
public enum OperationKey: String, CaseIterable, Hashable, Sendable {
  /// The time until the call reaches the fake, which acts then; `delay` is then the way back.
  case arrivalDelay
  /// The time that the caller waits.
  case delay
  /// The time for which the caller's domain stays closed.
  case spend
  /// The reply of the call.
  case reply
  /// The point at which the call fails, if it does.
  case fails
  /// True if the call goes on when its task is cancelled.
  case ignoresCancel
  /// The differences of the first call, the second, and so on.
  case calls

  package var summary: String {
    switch self {
    case .arrivalDelay:
      "How long it takes to get there; what it does is done then, and \"delay\" is the way back."
    case .delay: "How long the caller waits for it."
    case .spend: "How long its work keeps the caller's domain closed: no other job of that domain runs."
    case .reply: "What it answers."
    case .fails: "Where it fails, if it does."
    case .ignoresCancel: "Whether it goes on although its task was cancelled. False unless said."
    case .calls:
      "The n-th call takes the n-th entry, which overrides what stands beside \"calls\"; the last repeats."
    }
  }
}
