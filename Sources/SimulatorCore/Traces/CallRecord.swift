/// A call that a fake has received.
public struct CallRecord: Hashable, Sendable, Identifiable {
  /// The operation, its arguments, and if the requester was cancelled by then.
  public let call: Trace.Call
  /// The position of the call among the calls of its operation, from 1.
  public let number: Int
  /// The reply that was decided on; a store returns what it holds instead.
  public package(set) var reply = ""
  /// The fault that was decided on. It strikes unless the call is cancelled first.
  public package(set) var fault = FakeFault.noFault
  /// The time until the call reaches the fake, if ``delay`` is only the way back; nil if both ways are one. Within a
  /// range this is decided as time moves.
  public package(set) var arrivalDelay: ClosedRange<Duration>?
  /// The time that the caller waits, at least and at most.
  public package(set) var delay: ClosedRange<Duration> = .zero...(.zero)
  /// The time for which the work that the answer causes keeps the caller's domain closed.
  public package(set) var spend = Duration.zero
  /// True if the call goes on to its end although its task is cancelled.
  public package(set) var ignoresCancellation = false
  /// The effects of the call so far: each commit, each entity of a batch.
  public package(set) var effects: [String] = []
  /// True if a call that has a way back has reached the fake.
  package var hasArrived = false
  /// True if its connection was down when it began, or went down while it was in flight. The call then ends without its
  /// reply. See ``FakeConnection``.
  public package(set) var lostConnection = false
  /// The outcome of the call; nil while it is in flight.
  public package(set) var outcome: Trace.Outcome?
  /// True if the requester had been cancelled by the time the call ended; false while it is in flight.
  public package(set) var requesterWasCancelledAtEnd = false

  package init(call: Trace.Call, number: Int) {
    (self.call, self.number) = (call, number)
  }

  /// The number of its ``call``.
  public var id: Int { call.id }
  /// True if the call has not ended yet.
  public var isInFlight: Bool { outcome == nil }
  /// True if the requester was cancelled before it made the call.
  public var requesterWasCancelledAtBegin: Bool { call.requesterWasCancelled }
}

/// A fake that keeps its calls on record.
///
/// The conformance is what marks a type as a fake. An actor that conforms stands for the world outside the app:
/// timelines show its calls, and races are reported for the app's own actors, not for it. An actor that does not
/// conform is part of the app, whatever its name. ``CallRecorder`` provides what the requirements ask for.
public protocol CallRecording: SimulatedFake, Sendable {
  /// The name that traces use for the fake.
  nonisolated var name: String { get }
  /// Every call so far, in the order in which they began.
  nonisolated var calls: [CallRecord] { get }
}

extension Collection<CallRecord> {
  /// The calls still in flight, in the order in which they began.
  public var inFlight: [CallRecord] { filter(\.isInFlight) }
  /// The calls that have ended, in the order in which they began.
  public var completed: [CallRecord] { filter { !$0.isInFlight } }
  /// Returns the calls of one operation, in the order in which they began.
  public func of(_ operation: String) -> [CallRecord] { filter { $0.call.operation == operation } }
}

/// The point at which a call fails.
public enum FakeFault: String, Hashable, Sendable, CaseIterable {
  /// The call does not fail.
  case noFault = "never"
  /// Before the call has had any effect: nothing is written, and the server has seen nothing.
  case beforeCommit = "before-commit"
  /// After the call has had all its effect: everything is written, and the caller gets an error.
  case afterCommit = "after-commit"
  /// After part of the call's effect: some entities of a batch are written. An atomic write, a transaction or a single
  /// entity, is not torn and fails before the commit.
  case torn
  /// The call does not fail. The network delivers its request a second time, as a proxy may that got no answer: the
  /// server acts on it once more, later, and the caller sees only one answer. Only a ``FakeNetwork``, a
  /// `FakeHTTP` and a ``FakeEventSource`` support it; other fakes treat it as ``noFault``.
  case arrivesTwice = "arrives-twice"
}

extension FakeFault: CustomStringConvertible {
  public var description: String { rawValue }
}
