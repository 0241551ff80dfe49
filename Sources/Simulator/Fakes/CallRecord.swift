/// A call that a fake has received.
public struct CallRecord: Hashable, Sendable, Identifiable {
  /// What was called, with what, and whether the requester was cancelled by then.
  public let call: Call
  /// The how-manieth call of its operation it is, from 1.
  public let number: Int
  /// The reply that was decided on; a store answers with what it holds instead.
  public internal(set) var reply = ""
  /// The fault that was decided on. It strikes unless the call is cancelled before.
  public internal(set) var fault = Fault.never
  /// What it has done so far: each commit, each entity of a batch.
  public internal(set) var effects: [String] = []
  /// How it ended; nil while it is in flight.
  public internal(set) var outcome: Outcome?
  /// Whether the requester had been cancelled by the time it ended; false while it is in flight.
  public internal(set) var requesterWasCancelledAtEnd = false

  /// The number of its ``call``.
  public var id: Int { call.id }
  /// Whether the fake is still at it.
  public var isInFlight: Bool { outcome == nil }
  /// Whether the requester was cancelled before it made the call.
  public var requesterWasCancelledAtBegin: Bool { call.requesterWasCancelled }
}

/// A fake that keeps its calls on record.
public protocol CallRecording: SimulatedFake, Sendable {
  /// What traces call it.
  nonisolated var name: String { get }
  /// Every call so far, in the order in which they began.
  nonisolated var calls: [CallRecord] { get }
}

extension FakeNetwork: CallRecording {}
extension FakeStore: CallRecording {}
extension FakeCallbackQueue: CallRecording {}
extension FakeKeyboard: CallRecording {}
extension FakeDecoder: CallRecording {}

extension Collection<CallRecord> {
  /// Those still in flight, in the order in which they began.
  public var inFlight: [CallRecord] { filter(\.isInFlight) }
  /// Those that have ended, in the order in which they began.
  public var completed: [CallRecord] { filter { !$0.isInFlight } }
  /// Those of one operation, in the order in which they began.
  public func of(_ operation: String) -> [CallRecord] { filter { $0.call.operation == operation } }
}
