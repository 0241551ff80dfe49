public import SimulatorCore

/// The calls that a fake has received. A test can state expectations about them as sentences.
///
/// ```swift
/// #expect(network.received("PUT /profile").once)
/// #expect(network.received("GET /profile").never)
/// #expect(store.received("write").with("draft").before("read"))
/// #expect(network.received("POST /refresh").onlyWhileWanted)
/// ```
///
/// A failure reads as a sentence too, because the testing library shows the part before the last dot:
/// `Expectation failed: (network.received("PUT /profile") → network received PUT /profile twice: 1 returned,
/// 2 is in flight).once`.
/// A condition between steps may ask the same.
public struct ReceivedCalls: Sendable {
  private let fake: String
  private let what: String
  /// The calls, in the order in which they began.
  public let calls: [CallRecord]
  private let all: [CallRecord]

  init(_ fake: String, _ what: String, _ calls: [CallRecord], of all: [CallRecord]) {
    self.fake = fake
    self.what = what
    self.calls = calls
    self.all = all
  }

  /// Returns the calls whose detail is `detail`, or has it among its parts.
  public func with(_ detail: Trace.Value) -> ReceivedCalls {
    ReceivedCalls(fake, "\(what) with \(detail)", calls.filter { $0.call.detail.has(detail) }, of: all)
  }

  // MARK: how many

  /// True if there are none.
  public var never: Bool { times(0) }
  /// True if there is exactly one.
  public var once: Bool { times(1) }
  /// True if there are exactly two.
  public var twice: Bool { times(2) }
  /// True if there is at least one.
  public var atAll: Bool { !calls.isEmpty }
  /// True if there is at most one.
  public var atMostOnce: Bool { calls.count <= 1 }
  /// Returns true if there are exactly `count`.
  public func times(_ count: Int) -> Bool { calls.count == count }
  /// Returns true if their number is in `range`.
  public func times(_ range: some RangeExpression<Int>) -> Bool { range.contains(calls.count) }

  // MARK: how they went

  /// True if there is at least one, and every one has returned.
  public var successfully: Bool { atAll && calls.allSatisfy(\.hasReturned) }
  /// True if there is at least one, and every one has ended in any way.
  public var completely: Bool { atAll && calls.allSatisfy { !$0.isInFlight } }
  /// True if none was made by a task that had already been cancelled.
  public var onlyWhileWanted: Bool { calls.allSatisfy { !$0.requesterWasCancelledAtBegin } }

  // MARK: in what order

  /// Returns true if there is at least one, and the last of them began before the first call of `operation`. Returns
  /// false if there is no call of `operation`.
  public func before(_ operation: String) -> Bool {
    guard let last = calls.last, let first = all.of(operation).first else { return false }
    return last.id < first.id
  }

  /// Returns true if there is at least one, and the first of them began after the last call of `operation`. Returns
  /// false if there is no call of `operation`.
  public func after(_ operation: String) -> Bool {
    guard let first = calls.first, let last = all.of(operation).last else { return false }
    return last.id < first.id
  }
}

extension ReceivedCalls: CustomStringConvertible {
  /// `network received PUT /profile twice: 1 returned, 2 is in flight`.
  public var description: String {
    let ends = calls.enumerated().map {
      "\($0.offset + 1) \($0.element.outcome?.description ?? "is in flight")"
    }
    let others = Set(all.map(\.call.operation)).subtracting([what]).sorted()
    let instead = atAll || others.isEmpty ? [] : ["instead it received " + others.joined(separator: ", ")]
    let told = ends + instead
    return "\(fake) received \(what) \(count)" + (told.isEmpty ? "" : ": " + told.joined(separator: ", "))
  }

  private var count: String {
    switch calls.count {
    case 0: "never"
    case 1: "once"
    case 2: "twice"
    default: "\(calls.count) times"
    }
  }
}

extension CallRecording {
  /// Returns the calls of `operation` so far.
  public nonisolated func received(_ operation: String) -> ReceivedCalls {
    let calls = calls
    return ReceivedCalls(name, operation, calls.of(operation), of: calls)
  }
}

extension CallRecord {
  fileprivate var hasReturned: Bool {
    if case .returned = outcome { true } else { false }
  }
}

extension Trace.Value {
  fileprivate func has(_ part: Trace.Value) -> Bool {
    if self == part { return true }
    return switch self {
    case .list(let values): values.contains(part)
    case .record(let fields): fields.contains { $0.value == part }
    default: false
    }
  }
}
