/// A decoder, or any other heavy work, that costs time wherever it is called.
///
/// ```swift
/// let decoder = FakeDecoder(spend: .milliseconds(300))
/// let feed = try await decoder.work("decode") { _ in Feed() }   // on the main actor: no scrolling
/// ```
///
/// The work is done on the caller's domain and keeps it closed, as real work would: on an actor nothing else
/// runs until it is done, on the concurrent pool it holds nothing up. Each operation has its own behavior,
/// call after call; the last one repeats. Outside a simulation the time passes on the real clock.
///
/// A cancel does not cut the work short: it is noticed when the work is done.
public final class FakeDecoder: CallRecording {
  /// What traces call it.
  public let name: String
  private let recorder: CallRecorder

  /// A decoder all of whose work costs this much.
  public convenience init(spend: FakeTiming, faults: [FakeFault] = [.never], named name: String = "decoder") {
    self.init(otherwise: FakeBehavior(spend: spend, faults: faults), named: name)
  }

  /// A decoder of which the n-th call of an operation takes the n-th of its behaviors, of which the last
  /// repeats, and an operation without any behaves as `otherwise` says. Of a behavior only what it spends and
  /// where it fails count.
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

  /// Does the work called `operation`, and answers with what `make` makes of its number, from 1.
  ///
  /// - Parameters:
  ///   - operation: What its behavior is looked up by.
  ///   - detail: What is worked on, for the trace.
  ///   - value: The answer as the trace shows it.
  ///   - make: Makes the result of the work. It runs once, when the time is over; not at all when the work
  ///     fails.
  /// - Throws: `InjectedFault`, whatever the kind of its fault, or what `make` throws.
  nonisolated(nonsending) public func work<Answer>(
    _ operation: String, _ detail: Trace.Value = .none,
    showing value: (Answer) -> Trace.Value = { _ in .none },
    _ make: (Int) throws -> Answer
  ) async throws -> Answer {
    let pending = recorder.begin(operation, detail)
    // Not in the closure of a cancellation handler, which would leave the caller's actor.
    await spendTime(pending.spend)
    if Task.isCancelled, !pending.call.requesterWasCancelled { pending.cancel() }
    return try await pending.endHere(showing: value) {
      if pending.fault != .never { throw pending.injectedFault }
      return try make(pending.number)
    }
  }
}

extension FakeBehavior {
  /// The same, which a cancel does not cut short.
  fileprivate var withoutCancellation: FakeBehavior {
    var behavior = self
    behavior.ignoresCancellation = [true]
    return behavior
  }
}
