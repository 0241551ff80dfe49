public import SimulatorCore
internal import SimulatorKernel

/// A service that answers by calling back, on its own queue. The test decides what it answers, and when.
///
/// ```swift
/// let camera = FakeCallbackQueue(["focus": [FakeBehavior(delay: .seconds(1))]])
/// let handle = camera.request("focus", serving: { _ in 0.5 }) { result in print(result) }
/// handle.cancel()
/// ```
///
/// Each call of an operation takes the next of its behaviors; the last repeats. If a behavior offers a range or
/// alternatives, the decision is a choice on the tape. `spend` is the time that the callback keeps the queue busy
/// before the caller's code runs. Outside a simulation it works too: it takes the natural choice, and real time passes.
///
/// Every callback is a separate step, outside the requester's task. A serial queue runs one at a time, on this actor; a
/// concurrent queue runs them on the pool.
public actor FakeCallbackQueue: CallRecording {
  /// The way in which the queue runs callbacks.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// One after the other.
    case serial
    /// Concurrently.
    case concurrent
    /// Not at all: requests are sent and served, and no callback is ever called.
    case suspended
  }

  /// The handling of the callback of a request that was cancelled in time.
  public enum AfterCancel: String, Hashable, Sendable, CaseIterable {
    /// It is called, with `CancellationError`.
    case callsBack = "calls-back"
    /// It is dropped.
    case silent
  }

  /// Its name in traces.
  public nonisolated let name: String
  /// The way in which it runs callbacks.
  public nonisolated let kind: Kind
  private nonisolated let afterCancel: AfterCancel
  private let recorder: CallRecorder
  private var held: [@Sendable () -> Void] = []

  /// Makes a queue for a service. The n-th call of an operation takes the n-th of its behaviors, and the last repeats.
  /// An operation without any behaves like `otherwise`.
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

  /// Sends a request for `operation`, returns at once, and later calls `completion` once.
  ///
  /// - Parameters:
  ///   - operation: The name by which its behavior is looked up.
  ///   - detail: The arguments of the request, for the trace.
  ///   - value: The answer as the trace shows it.
  ///   - serve: The service's side. It runs once, after the delay, or not at all if the call fails before it has
  ///     reached the service. The callback gets the error that it throws.
  ///   - completion: Gets the answer, the reply's error, `InjectedFault`, the error that `serve` throws, or
  ///     `CancellationError`.
  /// - Returns: A handle that can cancel the request.
  @discardableResult
  public nonisolated func request<Answer: Sendable>(
    _ operation: String, _ detail: Trace.Value = .none,
    showing value: @escaping @Sendable (Answer) -> Trace.Value = { _ in .none },
    serving serve: @escaping @Sendable (FakeNetwork.ServedCall) throws -> Answer,
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
    _ serve: @Sendable (FakeNetwork.ServedCall) throws -> Answer
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
    guard Questions.isCancelled else { return await callBack(spent) { completion(result) } }
    guard afterCancel == .callsBack else { return }
    // Code that runs in a callback must not find itself in a cancelled task.
    Task.detached { await self.callBack(spent) { completion(result) } }
  }

  private nonisolated func callBack(_ spent: Duration, _ callback: @Sendable () -> Void) async {
    if kind == .serial { return await runOnQueue(spent, callback) }
    // Here too, other steps may come between the answer and its callback.
    await Task.yield()
    await spendTime(spent)
    callback()
  }

  /// Keeps the callback of a suspended queue.
  private func hold(_ callback: @escaping @Sendable () -> Void) { held.append(callback) }

  private func runOnQueue(_ spent: Duration, _ callback: @Sendable () -> Void) async {
    await spendTime(spent)
    callback()
  }
}

extension FakeCallbackQueue {
  /// A handle that can cancel a request to a ``FakeCallbackQueue``.
  public struct Handle: Sendable {
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) {
      self.onCancel = onCancel
    }

    /// Cancels the request if it is still in flight. Otherwise it has no effect, even if the callback has not run yet.
    public func cancel() { onCancel() }
  }
}
