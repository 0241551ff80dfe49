/// A service that hands out tokens which expire in virtual time, and knows which of them are still good.
///
/// ```swift
/// let tokens = FakeTokenService(delay: .milliseconds(500), lifetime: .seconds(60))
/// let token = try await tokens.refresh()
/// #expect(tokens.accepts(token.text))
/// ```
///
/// Its one operation is called `refresh` and takes its behaviors call after call; the last one repeats. Where a behavior offers a range or alternatives, the decision is a choice on the tape. Outside a
/// simulation the service works too: it takes the natural choice, and real time passes.
///
/// The server that is shown a token asks ``accepts(_:)``. A cancelled refresh ends with `CancellationError`,
/// at once, unless its behavior ignores cancellation.
public actor FakeTokenService: CallRecording {
  /// What traces call it.
  public nonisolated let name: String
  /// How long a token is good, from the moment in which it is issued.
  public nonisolated let lifetime: Duration
  private let recorder: CallRecorder
  /// When each token expires. Under a lock since a server asks in its own step.
  private let expiries = Guarded<[String: ContinuousClock.Instant]>([:])

  /// A service of which every refresh behaves alike.
  public init(
    delay: FakeTiming = .none, replies: [FakeReply] = [.ok()], faults: [FakeFault] = [.never],
    lifetime: Duration,
    named name: String = "tokens"
  ) {
    self.init(
      ["refresh": [FakeBehavior(delay: delay, replies: replies, faults: faults)]], lifetime: lifetime,
      named: name)
  }

  /// A service of which the n-th call of an operation takes the n-th of its behaviors; the last repeats.
  public init(_ operations: [String: [FakeBehavior]], lifetime: Duration, named name: String = "tokens") {
    self.name = name
    self.lifetime = lifetime
    recorder = CallRecorder(name, operations)
  }

  /// A token and the moment from which on it is refused.
  public struct Token: Hashable, Sendable {
    /// What is sent: `token 1`, then `token 2`.
    public let text: String
    /// When it expires.
    public let expires: ContinuousClock.Instant
  }

  /// Every call so far, in the order in which they began.
  public nonisolated var calls: [CallRecord] { recorder.calls }

  /// A new token, issued when the delay is over. Older ones stay good until they expire.
  ///
  /// - Throws: The reply's error, `InjectedFault` or `CancellationError`.
  public nonisolated func refresh() async throws -> Token {
    try await recorder.call("refresh") { try await serve($0) }
  }

  /// A new token, issued at once and without a call, as if at an earlier sign-in.
  ///
  /// - Parameter lifetime: How long it is good; nil for the service's own ``lifetime``.
  public nonisolated func issue(for lifetime: Duration? = nil) -> Token {
    let expires = ContinuousClock.now + (lifetime ?? self.lifetime)
    recorder.accessed(.change)
    return expiries.withLock { expiries in
      let token = Token(text: "token \(expiries.count + 1)", expires: expires)
      expiries[token.text] = expires
      return token
    }
  }

  /// Whether a server would take `token` now: it was issued here and has not expired.
  public nonisolated func accepts(_ token: String) -> Bool {
    recorder.accessed(.read)
    return expiries.withLock { $0[token] }.map { ContinuousClock.now < $0 } ?? false
  }

  /// How a call that carries `token` shows it: a record with the part `token`, and the part `expired` if its
  /// time is up, which says how long ago that was.
  public nonisolated func shown(_ token: String) -> Trace.Value {
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
      // Where nothing goes wrong, and the answer is there at once, it shows the token by itself.
      if call.fault == .afterCommit || call.reaches != nil { call.tookEffect("issued \(token.text)") }
      try call.failAfterEffect()
      return token
    }
  }
}
