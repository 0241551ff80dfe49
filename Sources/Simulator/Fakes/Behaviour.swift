/// What one call of a fake's operation is like.
///
/// Whatever lists more than one possibility is decided when the call begins: a choice on the tape inside a
/// simulation, the first possibility outside. A list must not be empty.
///
/// ```swift
/// let flaky = Behaviour(delay: .milliseconds(200), replies: [.ok("[]"), .offline])
/// let network = FakeNetwork(["GET /inbox": [flaky, Behaviour(delay: .seconds(5))]])
/// ```
public struct Behaviour: Sendable {
  /// How long the caller waits.
  public var delay: Timing
  /// How long the work that the answer makes keeps the caller's domain closed.
  public var spend: Timing
  /// What a ``FakeNetwork`` answers, the natural reply first.
  public var replies: [Reply]
  /// Where the call fails, if it does; the natural fault first.
  public var faults: [Fault]
  /// Whether the call goes on to its end although its task was cancelled, the natural answer first.
  public var ignoresCancellation: [Bool]

  /// A call that is answered at once, never fails and honours cancellation, unless said otherwise.
  public init(
    delay: Timing = .none, spend: Timing = .none, replies: [Reply] = [.ok()], faults: [Fault] = [.never],
    ignoresCancellation: [Bool] = [false]
  ) {
    self.delay = delay
    self.spend = spend
    self.replies = replies
    self.faults = faults
    self.ignoresCancellation = ignoresCancellation
  }
}

/// Where a call fails.
public enum Fault: String, Hashable, Sendable, CaseIterable {
  /// It does not.
  case never
  /// Before it has had any effect: nothing is written, the server has seen nothing.
  case beforeCommit = "before-commit"
  /// After it has had all its effect: everything is written, and the caller is told that it failed.
  case afterCommit = "after-commit"
  /// After part of its effect: some entities of a batch are written. What is written as a whole, a transaction or a
  /// single entity, is not torn and fails before the commit.
  case torn
}

extension Fault: CustomStringConvertible {
  public var description: String { rawValue }
}

/// The error of a call that an injected ``Fault`` made fail.
public struct InjectedFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fake's name.
  public let fake: String
  /// The operation.
  public let operation: String

  /// What a real error would say: not whether the write was committed.
  public var description: String { "\(fake) failed to \(operation)" }
}
