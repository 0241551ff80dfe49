public import SimulatorCore

extension Invariant {
  /// An action that reads from the device gets its answer within `bound` of virtual time, whatever the network does.
  ///
  /// The race: one queue does everything in turn, and a local read waits behind a request that takes seconds.
  ///
  /// ```swift
  /// try await queue.run { try await store.save(try await network.phrases()) }   // five seconds
  /// try await queue.run { try await store.phrase("hello") }                     // as long, and a moment
  /// ```
  ///
  /// An action that was canceled is owed nothing. The diagnosis blames work that kept a domain busy if the reader's
  /// own task resumed there the moment that the domain was free, and would have been in time without that wait.
  ///
  /// - Parameters:
  ///   - bound: The time that the answer may take, from the moment at which the action begins.
  ///   - reads: The actions that read; none for all of them.
  public static func readWithin(_ bound: Duration, _ reads: String...) -> Invariant {
    Invariant.refuseNegative(bound, "read-within")
    return Invariant(
      "read-within", "What is on the device is read within the bound, whatever the network does.",
      diagnosis: .answeredTooLate
    ) {
      ReadWithin(bound: bound, reads: reads)
    }
  }
}

private struct ReadWithin: Invariant.Monitor {
  private struct Reader {
    let action: Trace.Action
    let task: Int?
    let since: VirtualInstant
    /// The time of the last step of its task.
    var last: VirtualInstant
    /// The time that it has waited for busy domains.
    var stood = Duration.zero
  }

  let bound: Duration
  let reads: [String]
  private var readers: [Reader] = []
  /// The time until which work last kept each domain busy.
  private var closed: [Int: VirtualInstant] = [:]
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  init(bound: Duration, reads: [String]) {
    self.bound = bound
    self.reads = reads
  }

  var wantsSteps: Bool { true }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .actionBegan(let action) where reads.isEmpty || reads.contains(action.name):
      judged = true
      readers.append(Reader(action: action, task: event.task, since: event.time, last: event.time))
    case .step: goesOn(event)
    case .spent(let length) where !event.isOnPool:
      closed[event.domain] = event.time.advanced(by: length)
    case .cancelled(let action): _ = leave(action)
    case .actionEnded(let action, _): return leave(action).flatMap { late($0, event.time) }
    default: break
    }
    return nil
  }

  mutating func cutOff(_ end: VirtualInstant) -> String? { atRest(end) }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard let reader = readers.first, reader.since.duration(to: end) > bound else { return nil }
    let wait = reader.since.duration(to: end)
    return
      "\(reader.action.label) asked at \(reader.since) and has no answer \(wait.shortText) later (\(end)), "
      + "not within \(bound.shortText)"
  }

  private mutating func goesOn(_ event: Trace.Event) {
    guard let index = readers.firstIndex(where: { $0.task == event.task }) else { return }
    if closed[event.domain] == event.time {
      readers[index].stood += readers[index].last.duration(to: event.time)
    }
    readers[index].last = event.time
  }

  private mutating func late(_ reader: Reader, _ time: VirtualInstant) -> String? {
    let wait = reader.since.duration(to: time)
    guard wait > bound else { return nil }
    if wait - reader.stood <= bound { diagnosis = .closedTooLong }
    return
      "\(reader.action.label) asked at \(reader.since) and had its answer \(wait.shortText) later (\(time)), "
      + "not within \(bound.shortText)"
  }

  /// Removes the reader that waits for `action`, and returns it.
  private mutating func leave(_ action: Trace.Action) -> Reader? {
    readers.firstIndex { $0.action == action }.map { readers.remove(at: $0) }
  }
}
