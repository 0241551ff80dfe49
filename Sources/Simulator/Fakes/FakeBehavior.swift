/// What one call of a fake's operation is like.
///
/// Whatever lists more than one possibility is decided when the call begins: a choice on the tape inside a
/// simulation, the first possibility outside. A delay that is a range is decided as time moves.
///
/// ```swift
/// let flaky = FakeBehavior(delay: .milliseconds(200), replies: [.ok("[]"), .offline])
/// let network = FakeNetwork(["GET /inbox": [flaky, FakeBehavior(delay: .seconds(5))]])
/// ```
///
/// A list that is empty, and a time that is negative, end the process with a sentence that says what to write
/// instead.
public struct FakeBehavior: Sendable {
  /// How long the call takes to the fake, which acts then; ``delay`` is then how long the answer takes back. So a call
  /// can be cancelled when it has taken effect and its answer is still on the way.
  ///
  /// Nil when the two ways are one: the fake acts when the delay is over, and the answer is there at once.
  public var reaches: FakeTiming? { didSet { refuseFlaws() } }
  /// How long the caller waits; with ``reaches``, for the answer of a fake that has acted.
  public var delay: FakeTiming { didSet { refuseFlaws() } }
  /// How long the work that the answer makes keeps the caller's domain closed. A range is decided when the call begins,
  /// as ``Simulation/choose(_:in:)`` does.
  public var spend: FakeTiming { didSet { refuseFlaws() } }
  /// What a ``FakeNetwork`` answers, the natural reply first.
  public var replies: [FakeReply] { didSet { refuseFlaws() } }
  /// Where the call fails, if it does; the natural fault first.
  public var faults: [FakeFault] { didSet { refuseFlaws() } }
  /// Whether the call goes on to its end although its task was cancelled, the natural answer first.
  public var ignoresCancellation: [Bool] { didSet { refuseFlaws() } }
  /// What the call goes over: one that can be down for a while.
  public var connection: FakeConnection

  /// A call that is answered at once, never fails and honours cancellation, unless said otherwise.
  ///
  /// - Precondition: No list is empty and no time is negative.
  public init(
    reaches: FakeTiming? = nil, delay: FakeTiming = .none, spend: FakeTiming = .none,
    replies: [FakeReply] = [.ok()], faults: [FakeFault] = [.never], ignoresCancellation: [Bool] = [false],
    connection: FakeConnection = .up
  ) {
    self.reaches = reaches
    self.delay = delay
    self.spend = spend
    self.replies = replies
    self.faults = faults
    self.ignoresCancellation = ignoresCancellation
    self.connection = connection
    refuseFlaws()
  }

  private func refuseFlaws() {
    if let flaw = reaches?.flaw { Self.refuse("reaches", flaw) }
    if let flaw = delay.flaw { Self.refuse("delay", flaw) }
    if let flaw = spend.flaw { Self.refuse("spend", flaw) }
    if replies.isEmpty { Self.refuse("replies", "is empty: name at least one reply, such as `.ok()`") }
    if faults.isEmpty { Self.refuse("faults", "is empty: for a call that never fails write `[.never]`") }
    if ignoresCancellation.isEmpty {
      Self.refuse(
        "ignoresCancellation", "is empty: for a call that ends when it is cancelled write `[false]`")
    }
  }

  private static func refuse(_ part: String, _ flaw: String) -> Never {
    // Not `precondition`: an optimized build drops its sentence.
    fatalError("the `\(part)` of a fake's behavior \(flaw)")
  }
}

/// The error of a call that an injected ``FakeFault`` made fail.
public struct InjectedFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fake's name.
  public let fake: String
  /// The operation.
  public let operation: String

  /// What a real error would say: not whether the write was committed.
  public var description: String { "\(fake) failed to \(operation)" }
}
