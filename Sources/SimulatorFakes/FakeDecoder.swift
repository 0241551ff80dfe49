public import SimulatorCore
internal import SimulatorKernel

/// A decoder, or any other heavy work, that takes time on its caller's domain.
///
/// ```swift
/// let decoder = FakeDecoder(spend: .milliseconds(300))
/// let feed = try await decoder.work("decode") { _ in Feed() }   // on the main actor: no scrolling
/// ```
///
/// The work is done on the caller's domain and keeps it closed, as real work would. On an actor nothing else runs until
/// it is done; on the concurrent pool it blocks nothing. Each operation has its own behavior, call after call; the last
/// one repeats. Outside a simulation the time passes on the real clock.
///
/// A cancel does not shorten the work: it is noticed when the work is done.
public final class FakeDecoder: CallRecording {
  /// Its name in traces.
  public let name: String
  private let recorder: CallRecorder

  /// Makes a decoder whose work always costs this much.
  public convenience init(spend: FakeTiming, faults: [FakeFault] = [.noFault], named name: String = "decoder")
  {
    self.init(otherwise: FakeBehavior(spend: spend, faults: faults), named: name)
  }

  /// Makes a decoder. The n-th call of an operation takes the n-th of its behaviors, and the last repeats. An operation
  /// without any behaves like `otherwise`. Only the `spend` and the faults of a behavior matter.
  public init(
    _ operations: [String: [FakeBehavior]] = [:], otherwise: FakeBehavior = FakeBehavior(),
    named name: String = "decoder"
  ) {
    self.name = name
    recorder = CallRecorder(
      name, operations.mapValues { $0.map(\.withoutCancellation) }, otherwise: otherwise.withoutCancellation)
  }

  /// Every call so far, in the order in which they began.
  public var calls: [CallRecord] { recorder.calls }

  /// Does the work called `operation`, and returns the result of `make`, which gets the number of the work, from 1.
  ///
  /// - Parameters:
  ///   - operation: The name by which its behavior is looked up.
  ///   - detail: The input of the work, for the trace.
  ///   - value: The answer as the trace shows it.
  ///   - make: Makes the result of the work. It runs once, when the time is over, or not at all if the work fails.
  /// - Throws: `InjectedFault`, whatever the kind of its fault, or the error that `make` throws.
  nonisolated(nonsending) public func work<Answer>(
    _ operation: String, _ detail: Trace.Value = .none,
    showing value: (Answer) -> Trace.Value = { _ in .none },
    _ make: (Int) throws -> Answer
  ) async throws -> Answer {
    let pending = recorder.begin(operation, detail)
    // This is not in the closure of a cancellation handler, which would leave the caller's actor.
    await spendTime(pending.spend)
    if Questions.isCancelled, !pending.call.requesterWasCancelled { pending.cancel() }
    return try await pending.endHere(showing: value) {
      if pending.fault != .noFault { throw pending.injectedFault }
      return try make(pending.number)
    }
  }
}

extension FakeBehavior {
  /// The same behavior, except that a cancel does not shorten the call.
  fileprivate var withoutCancellation: FakeBehavior {
    var behavior = self
    behavior.ignoresCancellation = [true]
    return behavior
  }
}
