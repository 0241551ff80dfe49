/// A call that a fake has received.
public struct CallRecord: Hashable, Sendable, Identifiable {
  /// What was called, with what, and whether the requester was cancelled by then.
  public let call: Trace.Call
  /// The position of the call among the calls of its operation, from 1.
  public let number: Int
  /// The reply that was decided on; a store answers with what it holds instead.
  public internal(set) var reply = ""
  /// The fault that was decided on. It strikes unless the call is cancelled before.
  public internal(set) var fault = FakeFault.never
  /// How long the call takes to the fake, where ``delay`` is only the way back; nil where the two ways are one. What a range
  /// leaves open is decided as time moves.
  public internal(set) var reaches: ClosedRange<Duration>?
  /// How long the caller waits, at least and at most.
  public internal(set) var delay: ClosedRange<Duration> = .zero...(.zero)
  /// How long the work that the answer makes keeps the caller's domain closed.
  public internal(set) var spend = Duration.zero
  /// Whether the call goes on to its end although its task is cancelled.
  public internal(set) var ignoresCancellation = false
  /// What the call has done so far: each commit, each entity of a batch.
  public internal(set) var effects: [String] = []
  /// Whether it has reached the fake, of a call that has a way back.
  var hasArrived = false
  /// Whether its connection was down when it began, or went while it was under way: it ends without its reply then. See
  /// ``FakeConnection``.
  public internal(set) var lostConnection = false
  /// How the call ended; nil while it is in flight.
  public internal(set) var outcome: Trace.Outcome?
  /// Whether the requester had been cancelled by the time the call ended; false while it is in flight.
  public internal(set) var requesterWasCancelledAtEnd = false

  /// The number of its ``call``.
  public var id: Int { call.id }
  /// Whether the call has not ended yet.
  public var isInFlight: Bool { outcome == nil }
  /// Whether the requester was cancelled before it made the call.
  public var requesterWasCancelledAtBegin: Bool { call.requesterWasCancelled }
}

/// A fake: it keeps its calls on record.
///
/// The conformance is what marks a type as a fake. An actor that conforms stands for the world outside the
/// app: timelines show its calls, and a race is told of the app's own actors, not of it. An actor that does
/// not conform is part of the app, whatever its name is. ``CallRecorder`` has what the requirements ask for.
public protocol CallRecording: SimulatedFake, Sendable {
  /// What traces call the fake.
  nonisolated var name: String { get }
  /// Every call so far, in the order in which they began.
  nonisolated var calls: [CallRecord] { get }
}

extension Collection<CallRecord> {
  /// Those still in flight, in the order in which they began.
  public var inFlight: [CallRecord] { filter(\.isInFlight) }
  /// Those that have ended, in the order in which they began.
  public var completed: [CallRecord] { filter { !$0.isInFlight } }
  /// Those of one operation, in the order in which they began.
  public func of(_ operation: String) -> [CallRecord] { filter { $0.call.operation == operation } }
}

/// Where a call fails.
public enum FakeFault: String, Hashable, Sendable, CaseIterable {
  /// The call does not fail.
  case never
  /// Before the call has had any effect: nothing is written, the server has seen nothing.
  case beforeCommit = "before-commit"
  /// After the call has had all its effect: everything is written, and the caller is told that it failed.
  case afterCommit = "after-commit"
  /// After part of the call's effect: some entities of a batch are written. What is written as a whole, a
  /// transaction or a single entity, is not torn and fails before the commit.
  case torn
  /// The call does not fail. The network delivers its request a second time, as a proxy may that got no answer: the server acts
  /// on it once more, later, and the caller knows of one answer. Only a ``FakeNetwork`` has it, and a `FakeHTTP`; what else is
  /// called goes on as with ``never``.
  case arrivesTwice = "arrives-twice"
}

extension FakeFault: CustomStringConvertible {
  public var description: String { rawValue }
}
