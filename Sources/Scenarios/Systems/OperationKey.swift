/// What a scenario may say about an operation of a fake.
public enum OperationKey: String, CaseIterable, Hashable, Sendable {
  /// How long the caller waits.
  case delay
  /// How long the caller's domain stays closed.
  case spend
  /// What the call returns.
  case reply
  /// Where the call fails, if it does.
  case fails
  /// Whether the call goes on when its task is cancelled.
  case ignoresCancel
  /// What differs in the first call, the second, and so on.
  case calls

  var summary: String {
    switch self {
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
