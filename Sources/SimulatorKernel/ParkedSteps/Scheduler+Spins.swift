internal import CConcurrencyHooks
internal import SimulatorCore

// Steps that spin until others have changed something, and steps that let others go first.

extension Scheduler {
  /// Counts a place that is not a preemption point. A step that comes to such places again and again spins.
  func maySpin() {
    if canPark { _ = leftAsSpinning() }
  }

  /// Counts a place that the running step has reached. Returns true if the step spins until others have changed
  /// something: it was parked here, and has gone on since.
  func leftAsSpinning() -> Bool {
    state.pointsOfStep += 1
    guard state.pointsOfStep > Self.mostPoints else { return false }
    state.pointsOfStep = Self.mostPoints - Self.pointsBetweenYields
    state.idleYields += 1
    // A step that is alone, with no timer to wait for, keeps nothing from running. If it never ends, that is a hang.
    if isAlone, timers.isEmpty || !isTimeToLook { return false }
    park(yields: true)
    state.pointsOfStep = Self.mostPoints - Self.pointsBetweenYields
    return true
  }

  /// The number of places in a step after which it is parked without a choice.
  private static let mostPoints = 1_000
  /// The number of places after that until the step is parked again. Such a step may spin for one that the strategy
  /// does not pick. Parking it makes it as fair as a task that yields.
  private static let pointsBetweenYields = 50

  /// Lets other steps go first, as a task that yields does.
  func yields() {
    if monitors.seesEachStep { return preemptionPoint() }
    guard canPark else { return }
    state.idleYields += 1
    if isAlone, !isTimeToLook {
      state.stepsAtThisInstant += timers.isEmpty ? Self.pointsBetweenYields : 1
    } else {
      park(yields: true)
    }
  }

  /// True if nothing but the running step can run.
  private var isAlone: Bool { queue.offers == 0 && tables.yielders.isEmpty }

  /// True if it is time for the loop to check whether time must move, and whether this never ends. It checks now and then.
  private var isTimeToLook: Bool { state.idleYields % Fairness.idleRounds == 0 }

  /// True if the running step has spun so often that its place is no news.
  var hasSpun: Bool { state.pointsOfStep >= Self.mostPoints - Self.pointsBetweenYields }

  /// The innermost function of the program that has called this, and its line.
  static var caller: Trace.CodePlace? {
    let addresses = unsafe [UInt](unsafeUninitializedCapacity: 32) { buffer, count in
      if let base = buffer.baseAddress { count = unsafe ch_callers_of_here(base, 32) }
    }
    return Symbols.innermostPlace(of: addresses)
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_may_spin(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.maySpin() }
}

@c @implementation
func simulator_yields(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.yields() }
}
