public import SimulatorCore
internal import SimulatorKernel

/// Events from outside that come when they like: pushes, locations, notifications, frames of a web socket, changes of a
/// file.
///
/// ```swift
/// let pushes = FakeEventSource(
///   ["news 1", "news 2"], pauses: [.between(.zero, and: .seconds(2))],
///   behaviors: [FakeBehavior(delay: .between(.zero, and: .seconds(1)), faults: [.noFault, .arrivesTwice])])
/// let stream = pushes.events()
/// Task { for await push in stream { await inbox.received(push) } }
/// pushes.start()
/// ```
///
/// From ``start()`` on, each event *occurs* when the pause since the one before is over, whether anything listens or not.
/// It *arrives* when its delay is over, at all who listen then; what arrives where nothing listens is lost. An event
/// overtakes an earlier one only if its delay ends earlier: those that are due together arrive in their order. Each event
/// is the call `event` and takes the next of the behaviors; the last repeats. In a behavior,
/// - ``FakeFault/arrivesTwice`` delivers the event a second time, after another delay,
/// - ``FakeFault/beforeCommit`` loses it on its way, and so does a connection that is down,
/// - ``FakeBehavior/ignoresCancellation`` is about a subscription that was canceled while the event was on its way: true
///   if the event arrives there all the same, as a callback that is already under way does.
///
/// If a pause or a behavior offers a range or alternatives, the decision is a choice on the tape. Outside a simulation the
/// source works too: it takes the natural choice, and real time passes.
public final class FakeEventSource<Event: Sendable>: CallRecording {
  /// Its name in traces.
  public let name: String
  private let script: [Event]
  private let pauses: [FakeTiming]
  private let ends: Bool
  private let recorder: CallRecorder
  private let state = Guarded(State())

  private struct State {
    var hasBegun = false
    var isStopped = false
    var task: Task<Void, Never>?
    var subscriptions: [Int: Subscription] = [:]
    var made = 0
    var onTheirWay = 0
    var hasOccurred = false

    var isOver: Bool { hasOccurred && onTheirWay == 0 }
  }

  /// Makes a source of `events`, which occur from ``start()`` on.
  ///
  /// - Parameters:
  ///   - events: The events, in the order in which they occur.
  ///   - pauses: The n-th event occurs after the n-th pause; the last repeats. At least one is needed.
  ///   - behaviors: The n-th event takes the n-th of these; the last repeats. At least one is needed. None has an
  ///     `arrivalDelay`, a `spend`, or a reply or a fault that means nothing for an event.
  ///   - ends: True if streams end when the last event has arrived; false for a source that is never at its end.
  ///   - name: Its name in traces.
  public init(
    _ events: [Event], pauses: [FakeTiming] = [.none], behaviors: [FakeBehavior] = [FakeBehavior()],
    ends: Bool = true, named name: String = "events"
  ) {
    if pauses.isEmpty { Self.refuse(name, "has no pauses: name at least one, or write `[.none]`") }
    for pause in pauses { if let flaw = pause.flaw { Self.refuse(name, "has a pause that \(flaw)") } }
    for behavior in behaviors { if let flaw = Self.flaw(of: behavior) { Self.refuse(name, flaw) } }
    self.name = name
    script = events
    self.pauses = pauses
    self.ends = ends
    recorder = CallRecorder(name, ["event": behaviors])
  }

  private static func flaw(of behavior: FakeBehavior) -> String? {
    if behavior.arrivalDelay != nil || behavior.spend != .none {
      return "has an event with an arrivalDelay or a spend: the delay is all of its way"
    }
    if behavior.replies.contains(where: { $0.error != nil }) {
      return "has an event with a reply that is an error: to lose it write the fault `.beforeCommit`"
    }
    if behavior.faults.contains(where: { $0 == .afterCommit || $0 == .torn }) {
      return "has an event with the fault afterCommit or torn, which means nothing for an event"
    }
    return nil
  }

  private static func refuse(_ name: String, _ flaw: String) -> Never {
    // This is not a `precondition`, because an optimized build drops its message.
    fatalError("the source of events \(name) \(flaw)")
  }

  /// Every event that has occurred so far.
  public var calls: [CallRecord] { recorder.calls }

  /// Makes the events occur. It has no effect if they already do, or if the source was stopped.
  public func start() {
    let begins = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun && !state.isStopped
    }
    guard begins else { return }
    let task = Task.detached(name: "\(name) occur") { await self.occur() }
    state.withLock { $0.task = task }
  }

  /// Makes no more events occur. What has occurred still arrives.
  public func stop() {
    recorder.accessed(.change)
    let task = state.withLock { state in
      state.isStopped = true
      return state.task
    }
    task?.cancel()
  }

  /// Returns a stream of the events that arrive from now on. It ends with the source, if `ends` is true. When its
  /// iteration is canceled, nothing arrives any more.
  public func events() -> AsyncStream<Event> {
    AsyncStream { continuation in
      let subscription = subscribe(onEnd: { continuation.finish() }) { continuation.yield($0) }
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }

  /// Calls `handler`, on the pool, with each event that arrives from now on, until the subscription is canceled.
  @discardableResult
  public func subscribe(_ handler: @escaping @Sendable (Event) -> Void) -> Subscription {
    subscribe(onEnd: {}, handler)
  }

  private func subscribe(
    onEnd: @escaping @Sendable () -> Void, _ handler: @escaping @Sendable (Event) -> Void
  ) -> Subscription {
    recorder.accessed(.change)
    let (subscription, isOver) = state.withLock { state in
      state.made += 1
      let subscription = Subscription(number: state.made, self, handler, onEnd)
      state.subscriptions[state.made] = subscription
      return (subscription, state.isOver)
    }
    if ends, isOver { onEnd() }
    return subscription
  }

  /// A subscription to the events of a ``FakeEventSource``.
  public final class Subscription: Sendable {
    fileprivate let number: Int
    fileprivate let handler: @Sendable (Event) -> Void
    fileprivate let onEnd: @Sendable () -> Void
    private let source: FakeEventSource

    fileprivate init(
      number: Int, _ source: FakeEventSource, _ handler: @escaping @Sendable (Event) -> Void,
      _ onEnd: @escaping @Sendable () -> Void
    ) {
      self.number = number
      self.source = source
      self.handler = handler
      self.onEnd = onEnd
    }

    /// Ends the subscription. An event that is on its way arrives all the same if its behavior ignores a cancellation.
    public func cancel() { source.remove(self) }
  }

  private func remove(_ subscription: Subscription) {
    recorder.accessed(.change)
    state.withLock { $0.subscriptions[subscription.number] = nil }
  }
}

// MARK: - How events come

extension FakeEventSource {
  /// An event on its way, and when it has arrived at the latest.
  private struct Way {
    let due: ContinuousClock.Instant
    let task: Task<Void, Never>
  }

  private func occur() async {
    var earlier: [Way] = []
    for (index, event) in script.enumerated() {
      let pause = pauses[min(index, pauses.count - 1)].offered()
      do { try await sleep(pause, about: name) } catch { break }
      recorder.accessed(.read)
      if state.withLock(\.isStopped) { break }
      let call = recorder.begin("event", .text("\(event)"))
      let (listening, before) = (listeners, earlier)
      state.withLock { $0.onTheirWay += 1 }
      let task = Task.detached(name: "\(event)") { await self.bring(event, call, listening, after: before) }
      earlier.append(Way(due: .now + call.delay.upperBound, task: task))
    }
    leave { $0.hasOccurred = true }
  }

  private var listeners: [Int: Subscription] {
    recorder.accessed(.read)
    return state.withLock(\.subscriptions)
  }

  private func bring(
    _ event: Event, _ call: PendingCall, _ listening: [Int: Subscription], after earlier: [Way]
  ) async {
    defer { leave { $0.onTheirWay -= 1 } }
    do { try await call.end { try await call.arrive() } } catch { return }
    for other in earlier where other.due <= .now { await other.task.value }
    arrive(event, call, listening)
    guard call.fault == .arrivesTwice else { return }
    state.withLock { $0.onTheirWay += 1 }
    Task.detached(name: "\(event) again") { await self.bringAgain(event, call, listening) }
  }

  private func bringAgain(_ event: Event, _ call: PendingCall, _ listening: [Int: Subscription]) async {
    defer { leave { $0.onTheirWay -= 1 } }
    do { try await call.wait(call.delay) } catch { return }
    call.tookEffect("came again")
    arrive(event, call, listening)
  }

  private func arrive(_ event: Event, _ call: PendingCall, _ listening: [Int: Subscription]) {
    var all = listeners
    if call.ignoresCancellation { all.merge(listening) { now, _ in now } }
    for (number, subscription) in all.sorted(by: { $0.key < $1.key }) {
      // What an earlier one of them does may cancel it.
      if call.ignoresCancellation || listeners[number] != nil { subscription.handler(event) }
    }
  }

  /// Ends the streams if nothing is to come.
  private func leave(_ change: (inout State) -> Void) {
    recorder.accessed(.change)
    let left = state.withLock { state in
      change(&state)
      return ends && state.isOver ? state.subscriptions : [:]
    }
    for (_, subscription) in left.sorted(by: { $0.key < $1.key }) { subscription.onEnd() }
  }
}
