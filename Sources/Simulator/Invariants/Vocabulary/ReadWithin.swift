extension Invariant {
  /// An action that reads what is on the device has an answer within `bound` of virtual time, whatever the
  /// network does.
  ///
  /// The race: one queue does everything in turn, and a local read waits behind a request that takes seconds.
  ///
  /// ```swift
  /// try await queue.run { try await store.save(try await network.phrases()) }   // five seconds
  /// try await queue.run { try await store.phrase("hello") }                     // as long, and a moment
  /// ```
  ///
  /// An action that was cancelled is owed nothing. Where work kept a domain closed, and the reader's own task
  /// went on there the moment that it opened, and would have been in time otherwise, that work is named.
  ///
  /// - Parameters:
  ///   - bound: How long the answer may take, from the moment in which the action begins.
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
    /// When its task last took a step.
    var last: VirtualInstant
    /// How long it has stood before closed domains.
    var stood = Duration.zero
  }

  let bound: Duration
  let reads: [String]
  private var readers: [Reader] = []
  /// Until when work last kept each domain closed.
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

  /// Who waits for `action`, and no longer does.
  private mutating func leave(_ action: Trace.Action) -> Reader? {
    readers.firstIndex { $0.action == action }.map { readers.remove(at: $0) }
  }
}
