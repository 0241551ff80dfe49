/// Calls that a fake has received, about which things can be expected in a sentence.
///
/// ```swift
/// #expect(network.received("PUT /profile").once)
/// #expect(network.received("GET /profile").never)
/// #expect(store.received("write").with("draft").before("read"))
/// #expect(network.received("POST /refresh").onlyWhileWanted)
/// ```
///
/// A failure reads as a sentence too, since the testing library shows what stands before the last dot:
/// `Expectation failed: (network.received("PUT /profile") → network received PUT /profile twice: 1 returned,
/// 2 is in flight).once`. A condition between steps may ask the same.
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

  /// Those of them whose detail is `detail`, or has it among its parts.
  public func with(_ detail: Trace.Value) -> ReceivedCalls {
    ReceivedCalls(fake, "\(what) with \(detail)", calls.filter { $0.call.detail.has(detail) }, of: all)
  }

  // MARK: how many

  /// There are none.
  public var never: Bool { times(0) }
  /// There is exactly one.
  public var once: Bool { times(1) }
  /// There are exactly two.
  public var twice: Bool { times(2) }
  /// There is one at least.
  public var atAll: Bool { !calls.isEmpty }
  /// There is one at most.
  public var atMostOnce: Bool { calls.count <= 1 }
  /// There are exactly `count`.
  public func times(_ count: Int) -> Bool { calls.count == count }
  /// So many of them are in `range`.
  public func times(_ range: some RangeExpression<Int>) -> Bool { range.contains(calls.count) }

  // MARK: how they went

  /// There is one at least, and every one has returned.
  public var successfully: Bool { atAll && calls.allSatisfy(\.hasReturned) }
  /// There is one at least, and every one has ended, however.
  public var completely: Bool { atAll && calls.allSatisfy { !$0.isInFlight } }
  /// None was made by a task that had been cancelled before.
  public var onlyWhileWanted: Bool { calls.allSatisfy { !$0.requesterWasCancelledAtBegin } }

  // MARK: in what order

  /// There is one at least, and the last of them had begun before the first call of `operation` did. Not so
  /// when there was none.
  public func before(_ operation: String) -> Bool {
    guard let last = calls.last, let first = all.of(operation).first else { return false }
    return last.id < first.id
  }

  /// There is one at least, and the first of them began after the last call of `operation` had. Not so when
  /// there was none.
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
  /// The calls of `operation` so far.
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
