/// A clock that reads the simulation's virtual time.
///
/// Simulated code does not need it: inside a simulation `ContinuousClock`, `SuspendingClock` and `Date()` are
/// virtual too. It is for code that wants instants on the same scale as a ``Trace``, and it traps when it is
/// read outside a simulation.
public struct VirtualClock: Clock {
  /// The clock of whichever simulation the caller runs in.
  public init() {}

  public var now: VirtualInstant { Simulation.required.now }

  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: VirtualInstant, tolerance: Duration?) async throws {
    try await ContinuousClock().sleep(for: now.duration(to: deadline))
  }
}
