public import SimulatorCore

/// A service that issues tokens that expire in virtual time, and knows which of them are still good.
///
/// ```swift
/// let tokens = FakeTokenService(delay: .milliseconds(500), lifetime: .seconds(60))
/// let token = try await tokens.refresh()
/// #expect(tokens.accepts(token.text))
/// ```
///
/// Its one operation is called `refresh` and takes its behaviors call after call; the last one repeats. If a behavior
/// offers a range or alternatives, the decision is a choice on the tape. Outside a simulation the service works too: it
/// takes the natural choice, and real time passes.
///
/// A server that receives a token asks ``accepts(_:)``. A cancelled refresh ends at once with `CancellationError`,
/// unless its behavior ignores cancellation.
public actor FakeTokenService: CallRecording {
  /// Its name in traces.
  public nonisolated let name: String
  /// The time for which a token is good, from the moment when it is issued.
  public nonisolated let lifetime: Duration
  private let recorder: CallRecorder
  /// The expiry of each token. It is behind a lock because a server asks in its own step.
  private let expiries = Guarded<[String: ContinuousClock.Instant]>([:])

  /// Makes a service whose refreshes all behave alike.
  public init(
    delay: FakeTiming = .none, replies: [FakeReply] = [.ok()], faults: [FakeFault] = [.noFault],
    lifetime: Duration,
    named name: String = "tokens"
  ) {
    self.init(
      ["refresh": [FakeBehavior(delay: delay, replies: replies, faults: faults)]], lifetime: lifetime,
      named: name)
  }

  /// Makes a service. The n-th call of an operation takes the n-th of its behaviors; the last repeats.
  public init(_ operations: [String: [FakeBehavior]], lifetime: Duration, named name: String = "tokens") {
    self.name = name
    self.lifetime = lifetime
    recorder = CallRecorder(name, operations)
  }

  /// A token and the moment from which it is refused.
  public struct Token: Hashable, Sendable {
    /// The text that is sent: `token 1`, then `token 2`.
    public let text: String
    /// The moment at which it expires.
    public let expires: ContinuousClock.Instant
  }

  /// Every call so far, in the order in which they began.
  public nonisolated var calls: [CallRecord] { recorder.calls }

  /// Returns a new token, issued when the delay is over. Older ones stay good until they expire.
  ///
  /// - Throws: The reply's error, `InjectedFault` or `CancellationError`.
  public nonisolated func refresh() async throws -> Token {
    try await recorder.call("refresh") { try await serve($0) }
  }

  /// Returns a new token, issued at once and without a call, as if at an earlier sign-in.
  ///
  /// - Parameter lifetime: The time for which it is good; nil for the service's own ``lifetime``.
  public nonisolated func issue(for lifetime: Duration? = nil) -> Token {
    let expires = ContinuousClock.now + (lifetime ?? self.lifetime)
    recorder.accessed(.change)
    return expiries.withLock { expiries in
      let token = Token(text: "token \(expiries.count + 1)", expires: expires)
      expiries[token.text] = expires
      return token
    }
  }

  /// Returns true if a server would accept `token` now: it was issued here and has not expired.
  public nonisolated func accepts(_ token: String) -> Bool {
    recorder.accessed(.read)
    return expiries.withLock { $0[token] }.map { ContinuousClock.now < $0 } ?? false
  }

  /// Returns the form in which a call that carries `token` shows it: a record with the field `token`. If the token has
  /// expired, the field `expired` says how long ago.
  public nonisolated func traceValue(of token: String) -> Trace.Value {
    recorder.accessed(.read)
    let text = Trace.Value.Field("token", .text(token))
    guard let expires = expiries.withLock({ $0[token] }) else { return .record([text]) }
    let age = expires.duration(to: .now)
    guard age >= .zero else { return .record([text]) }
    return .record([text, .init("expired", .text("\(age.shortText) ago"))])
  }

  private func serve(_ call: PendingCall) async throws -> Token {
    try await call.end(showing: { .text($0.text) }) {
      try await call.arrive()
      if let error = call.reply.error { throw error }
      let token = issue()
      // If nothing goes wrong and the answer is there at once, the answer itself shows the token.
      if call.fault == .afterCommit || call.arrivalDelay != nil { call.tookEffect("issued \(token.text)") }
      try call.failAfterEffect()
      return token
    }
  }
}
