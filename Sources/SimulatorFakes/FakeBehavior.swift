public import SimulatorCore

/// The behavior of one call of a fake's operation.
///
/// A part that lists more than one possibility is decided when the call begins: by a choice on the tape inside a
/// simulation, by the first possibility outside. A delay that is a range is decided as time moves.
///
/// ```swift
/// let flaky = FakeBehavior(delay: .milliseconds(200), replies: [.ok("[]"), .offline])
/// let network = FakeNetwork(["GET /inbox": [flaky, FakeBehavior(delay: .seconds(5))]])
/// ```
///
/// An empty list or a negative time ends the process with a message that says what to write instead.
public struct FakeBehavior: Sendable {
  /// The time until the call reaches the fake, which acts then. ``delay`` is then the time that the answer takes back.
  /// So a call can be cancelled when it has taken effect and its answer is still in flight.
  ///
  /// Nil if there is no separate way back: the fake acts when the delay is over, and the answer is there at once.
  public var arrivalDelay: FakeTiming? { didSet { refuseFlaws() } }
  /// The time that the caller waits; with ``arrivalDelay``, the time from the fake's action to the answer.
  public var delay: FakeTiming { didSet { refuseFlaws() } }
  /// The time that processing the answer keeps the caller's domain closed. A range is decided when the call begins, as
  /// in ``Simulation/choose(_:in:)``.
  public var spend: FakeTiming { didSet { refuseFlaws() } }
  /// The replies that the fake can give, the natural reply first.
  public var replies: [FakeReply] { didSet { refuseFlaws() } }
  /// The points at which the call can fail, if it does; the natural fault first.
  public var faults: [FakeFault] { didSet { refuseFlaws() } }
  /// The options for a cancelled call, the natural one first: true if it continues to its end, false if it gives up.
  public var ignoresCancellation: [Bool] { didSet { refuseFlaws() } }
  /// The connection that the call uses, which can be down for a while.
  public var connection: FakeConnection

  /// A call that is answered at once, never fails and honors cancellation, unless specified otherwise.
  ///
  /// - Precondition: No list is empty and no time is negative.
  public init(
    arrivalDelay: FakeTiming? = nil, delay: FakeTiming = .none, spend: FakeTiming = .none,
    replies: [FakeReply] = [.ok()], faults: [FakeFault] = [.noFault], ignoresCancellation: [Bool] = [false],
    connection: FakeConnection = .up
  ) {
    self.arrivalDelay = arrivalDelay
    self.delay = delay
    self.spend = spend
    self.replies = replies
    self.faults = faults
    self.ignoresCancellation = ignoresCancellation
    self.connection = connection
    refuseFlaws()
  }

  private func refuseFlaws() {
    if let flaw = arrivalDelay?.flaw { Self.refuse("arrivalDelay", flaw) }
    if let flaw = delay.flaw { Self.refuse("delay", flaw) }
    if let flaw = spend.flaw { Self.refuse("spend", flaw) }
    if replies.isEmpty { Self.refuse("replies", "is empty: name at least one reply, such as `.ok()`") }
    if faults.isEmpty { Self.refuse("faults", "is empty: for a call that never fails write `[.noFault]`") }
    if ignoresCancellation.isEmpty {
      Self.refuse(
        "ignoresCancellation", "is empty: for a call that ends when it is cancelled write `[false]`")
    }
  }

  private static func refuse(_ part: String, _ flaw: String) -> Never {
    // This is not a `precondition`, because an optimized build drops its message.
    fatalError("the `\(part)` of a fake's behavior \(flaw)")
  }
}

/// The error of a call that fails because of an injected ``FakeFault``.
public struct InjectedFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fake's name.
  public let fake: String
  /// The operation.
  public let operation: String

  /// The text of a real error, which does not say if the write was committed.
  public var description: String { "\(fake) failed to \(operation)" }
}
