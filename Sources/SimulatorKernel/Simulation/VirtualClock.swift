public import SimulatorCore

/// A clock whose time is never real: for code that has a clock injected, as `any Clock<Duration>`.
///
/// Inside a simulation it shows the simulation's time, which passes by itself; `ContinuousClock`, `SuspendingClock` and
/// `Date()` are virtual there, too. Outside a simulation it stands still until it is advanced by hand:
///
/// ```swift
/// let clock = VirtualClock()
/// let search = Search(debounce: .milliseconds(300), clock: clock)
/// async let results = search.type("swift")
/// await clock.waitForSleepers(atLeast: 1)
/// await clock.advance(by: .milliseconds(300))
/// #expect(await results.count == 1)
/// ```
///
/// Copies share one time.
public struct VirtualClock: Clock {
  private let hand = ClockHand()

  /// Creates a clock that shows ``VirtualInstant/start`` outside a simulation.
  public init() {}

  /// The time that the clock shows.
  public var now: VirtualInstant { Simulation.current?.now ?? hand.now }

  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until `deadline`, to the nanosecond; in a simulation up to `tolerance` longer, as described at
  /// ``Simulation/sleep(in:)``.
  ///
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  public func sleep(until deadline: VirtualInstant, tolerance: Duration? = nil) async throws {
    guard Simulation.current != nil else { return try await hand.sleep(until: deadline) }
    try await ContinuousClock().sleep(for: now.duration(to: deadline), tolerance: tolerance)
  }
}

// MARK: - By hand, outside a simulation

extension VirtualClock {
  /// Moves the clock forward by `duration`, as ``advance(to:)`` does. Not negative.
  public func advance(by duration: Duration) async {
    refuse(
      if: duration < .zero,
      "a VirtualClock cannot be advanced by \(duration.shortText): time only moves forward")
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock forward to `instant`, from deadline to deadline. At each deadline it wakes the sleepers, in the
  /// order of their deadlines, and gives them time to go on.
  ///
  /// Outside a simulation it is not known when they have come to rest. To be certain that a task sleeps, or sleeps
  /// again, await ``waitForSleepers(atLeast:)``. An instant in the past changes nothing.
  ///
  /// - Precondition: No simulation runs here; its time moves by itself.
  public func advance(to instant: VirtualInstant) async {
    checkIsByHand()
    await giveWay()
    while let deadline = hand.nextDeadline, deadline <= instant {
      hand.move(to: deadline)
      await giveWay()
    }
    hand.move(to: instant)
  }

  /// Moves the clock forward until no task sleeps on it. A task that sleeps again and again keeps it going forever.
  ///
  /// It may return before a task that it has woken sleeps again: see ``advance(to:)``. To be certain of each sleep, await
  /// ``waitForSleepers(atLeast:)`` and advance.
  ///
  /// - Precondition: No simulation runs here; its time moves by itself.
  public func run() async {
    checkIsByHand()
    await giveWay()
    while let deadline = hand.nextDeadline {
      hand.move(to: deadline)
      await giveWay()
    }
  }

  /// Suspends until at least `count` tasks sleep on the clock.
  ///
  /// - Precondition: No simulation runs here, whose sleepers are not on this clock.
  public func waitForSleepers(atLeast count: Int) async {
    checkIsByHand()
    await hand.sleepers(atLeast: count)
  }

  private func checkIsByHand() {
    precondition(
      Simulation.current == nil,
      "inside a simulation time moves by itself: a VirtualClock is advanced by hand outside only")
  }
}

/// Lets woken sleepers go on. It is not a method: see `spendTime`.
private func giveWay() async {
  for _ in 0..<20 { await Task.detached(priority: .background) { await Task.yield() }.value }
}
