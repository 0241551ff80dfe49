/// A decoder, or any other heavy work, that costs time wherever it is called.
///
/// ```swift
/// let decoder = FakeDecoder(spend: .milliseconds(300))
/// let feed = try await decoder.work("decode") { _ in Feed() }   // on the main actor: nobody scrolls meanwhile
/// ```
///
/// The work is done on the caller's domain and keeps it closed, as real work would: on an actor nothing else runs
/// until it is done, on the concurrent pool it is in nobody's way. Each operation has its own behaviour, call after
/// call; the last one repeats. Outside a simulation the time passes on the real clock.
///
/// Work does not look up while it lasts: a cancel does not cut it short, and is noticed when it is done.
public final class FakeDecoder: Sendable {
  /// What traces call it.
  public let name: String
  private let desk: CallDesk

  /// A decoder all of whose work costs this much.
  public convenience init(spend: Timing, faults: [Fault] = [.never], named name: String = "decoder") {
    self.init(otherwise: Behaviour(spend: spend, faults: faults), named: name)
  }

  /// A decoder of which the n-th call of an operation takes the n-th of its behaviours, of which the last repeats, and
  /// an operation without any behaves as `otherwise` says. Of a behaviour only what it spends and where it fails count.
  public init(
    _ operations: [String: [Behaviour]] = [:], otherwise: Behaviour = Behaviour(),
    named name: String = "decoder"
  ) {
    self.name = name
    desk = CallDesk(
      name, operations.mapValues { $0.map(\.withoutLookingUp) }, otherwise: otherwise.withoutLookingUp)
  }

  /// Every call so far, in the order in which they began.
  public var calls: [CallRecord] { desk.records }

  /// Does the work called `operation`, and answers with what `make` makes of its number, from 1.
  ///
  /// - Parameters:
  ///   - operation: What its behaviour is looked up by.
  ///   - detail: What is worked on, for the trace.
  ///   - value: The answer as the trace shows it.
  ///   - make: What comes of the work. It runs once, when the time is over; not at all when the work fails.
  /// - Throws: `InjectedFault`, whatever the kind of its fault, or what `make` throws.
  nonisolated(nonsending) public func work<Answer>(
    _ operation: String, _ detail: Value = .none, showing value: (Answer) -> Value = { _ in .none },
    _ make: (Int) throws -> Answer
  ) async throws -> Answer {
    let visit = desk.begin(operation, detail)
    // Not in the closure of a cancellation handler, which would leave the caller's actor.
    await Simulation.spend(visit.spend)
    if Task.isCancelled, !visit.call.requesterWasCancelled { desk.cancelled(visit) }
    return try await desk.end(visit, showing: value) {
      if visit.fault != .never { throw visit.injectedFault }
      return try make(visit.number)
    }
  }
}

extension Behaviour {
  /// The same, which a cancel does not cut short.
  fileprivate var withoutLookingUp: Behaviour {
    var behaviour = self
    behaviour.ignoresCancellation = [true]
    return behaviour
  }
}
