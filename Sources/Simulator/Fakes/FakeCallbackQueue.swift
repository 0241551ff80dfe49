/// A service that answers by calling back, on a queue of its own: what it answers, and when, is up to the
/// test.
///
/// ```swift
/// let camera = FakeCallbackQueue(["focus": [FakeBehavior(delay: .seconds(1))]])
/// let handle = camera.request("focus", serving: { _ in 0.5 }) { result in print(result) }
/// handle.cancel()
/// ```
///
/// A call of an operation takes the next of its behaviors; the last repeats. Where a behavior offers a range
/// or alternatives, the decision is a choice on the tape; `spend` is how long the callback keeps the queue
/// busy before the caller's code runs. Outside a simulation it works too: it takes the natural choice, and
/// real time passes.
///
/// Every callback is a step of its own, outside the requester's task: on a serial queue one at a time, on
/// this actor; on a concurrent queue on the pool.
public actor FakeCallbackQueue: CallRecording {
  /// How the queue runs callbacks.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// One after the other.
    case serial
    /// Side by side.
    case concurrent
    /// Not at all: requests are sent and served, and no callback is ever called.
    case suspended
  }

  /// What becomes of the callback of a request that was cancelled in time.
  public enum AfterCancel: String, Hashable, Sendable, CaseIterable {
    /// It is called, with `CancellationError`.
    case callsBack = "calls-back"
    /// It is dropped.
    case silent
  }

  /// What traces call it.
  public nonisolated let name: String
  /// How it runs callbacks.
  public nonisolated let kind: Kind
  private nonisolated let afterCancel: AfterCancel
  private let recorder: CallRecorder
  private var held: [@Sendable () -> Void] = []

  /// A queue for a service of which the n-th call of an operation takes the n-th of its behaviors, of which
  /// the last repeats; an operation without any behaves as `otherwise` says.
  public init(
    _ operations: [String: [FakeBehavior]] = [:], otherwise: FakeBehavior = FakeBehavior(),
    kind: Kind = .serial,
    afterCancel: AfterCancel = .callsBack, named name: String = "callbacks"
  ) {
    self.name = name
    self.kind = kind
    self.afterCancel = afterCancel
    recorder = CallRecorder(name, operations, otherwise: otherwise)
  }

  /// Every call so far, in the order in which they began. A call ends before its callback runs.
  public nonisolated var calls: [CallRecord] { recorder.calls }

  /// Asks for `operation`, returns at once, and calls `completion` back later, once.
  ///
  /// - Parameters:
  ///   - operation: What its behavior is looked up by.
  ///   - detail: What was asked, for the trace.
  ///   - value: The answer as the trace shows it.
  ///   - serve: The service's side. It runs once, after the delay; not at all when the call fails before it
  ///     has reached the service. What it throws is what the callback gets.
  ///   - completion: Gets the answer, the reply's error, `InjectedFault`, what `serve` throws, or
  ///     `CancellationError`.
  /// - Returns: What the request can be cancelled by.
  @discardableResult
  public nonisolated func request<Answer: Sendable>(
    _ operation: String, _ detail: Trace.Value = .none,
    showing value: @escaping @Sendable (Answer) -> Trace.Value = { _ in .none },
    serving serve: @escaping @Sendable (FakeNetwork.Served) throws -> Answer,
    completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) -> FakeCallbackQueue.Handle {
    let call = recorder.begin(operation, detail)
    let task = Task.detached {
      await self.deliver(await self.answer(call, value, serve), call.spend, to: completion)
    }
    return FakeCallbackQueue.Handle {
      if call.cancel() { task.cancel() }
    }
  }

  @concurrent
  private nonisolated func answer<Answer: Sendable>(
    _ call: PendingCall, _ value: @Sendable (Answer) -> Trace.Value,
    _ serve: @Sendable (FakeNetwork.Served) throws -> Answer
  ) async -> Result<Answer, any Error> {
    do {
      return .success(try await call.end(showing: value) { try await call.served(by: serve) })
    } catch {
      return .failure(error)
    }
  }

  private nonisolated func deliver<Answer: Sendable>(
    _ result: Result<Answer, any Error>, _ spent: Duration,
    to completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) async {
    if kind == .suspended { return await hold { completion(result) } }
    guard Task.isCancelled else { return await callBack(spent) { completion(result) } }
    guard afterCancel == .callsBack else { return }
    // What runs in a callback must not find itself in a cancelled task.
    Task.detached { await self.callBack(spent) { completion(result) } }
  }

  private nonisolated func callBack(_ spent: Duration, _ callback: @Sendable () -> Void) async {
    if kind == .serial { return await runOnQueue(spent, callback) }
    // Other steps may come between the answer and its callback here too.
    await Task.yield()
    await spendTime(spent)
    callback()
  }

  /// A suspended queue keeps what it is given.
  private func hold(_ callback: @escaping @Sendable () -> Void) { held.append(callback) }

  private func runOnQueue(_ spent: Duration, _ callback: @Sendable () -> Void) async {
    await spendTime(spent)
    callback()
  }
}

extension FakeCallbackQueue {
  /// What a request to a ``FakeCallbackQueue`` can be cancelled by.
  public struct Handle: Sendable {
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) {
      self.onCancel = onCancel
    }

    /// Cancels the request if it is still in flight; without effect otherwise, even if its callback is yet to
    /// come.
    public func cancel() { onCancel() }
  }
}
