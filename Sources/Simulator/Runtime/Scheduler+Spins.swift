internal import CConcurrencyHooks

// Steps that go round until others have changed something, and steps that let others go first.

extension Scheduler {
  /// The running step has come to a place that is no point, and spins if it comes there again and again.
  func maySpin() {
    if canStand { _ = leftAsSpinning() }
  }

  /// Counts the place to which the running step has come. Whether it has been left and has gone on since, because it spins
  /// until others have changed something.
  func leftAsSpinning() -> Bool {
    state.pointsOfStep += 1
    guard state.pointsOfStep > Self.mostPoints else { return false }
    state.pointsOfStep = Self.mostPoints - Self.pointsBetweenYields
    state.idleYields += 1
    // Alone, and with no timer to wait for, it keeps nothing from running: where it never ends, its step is a hang.
    if isAlone, timers.isEmpty || !isTimeToLook { return false }
    stand(yields: true)
    state.pointsOfStep = Self.mostPoints - Self.pointsBetweenYields
    return true
  }

  /// After so many points at which a step might have been left, it is left without being asked.
  private static let mostPoints = 1_000
  /// How many points come between that one and the next like it: a step that long may spin for whom the strategy does not
  /// take, and is as fair as a task that yields.
  private static let pointsBetweenYields = 50

  /// The running step lets others go first, as a task that yields does.
  func yields() {
    if monitors.seesEachStep { return mayStand() }
    guard canStand else { return }
    state.idleYields += 1
    if isAlone, !isTimeToLook {
      state.stepsAtThisInstant += timers.isEmpty ? Self.pointsBetweenYields : 1
    } else {
      stand(yields: true)
    }
  }

  /// Whether nothing but the running step can run.
  private var isAlone: Bool { queue.offers == 0 && tables.yielders.isEmpty }

  /// Whether the loop is to see now, as it does now and then, whether time is to move, and whether there is no end to it.
  private var isTimeToLook: Bool { state.idleYields % Fairness.idleRounds == 0 }

  /// Whether the running step has gone round so often that it is no news where.
  var hasSpun: Bool { state.pointsOfStep >= Self.mostPoints - Self.pointsBetweenYields }

  /// The innermost function of the program that has called this, and its line.
  static var caller: Trace.CodePlace? {
    let addresses = unsafe [UInt](unsafeUninitializedCapacity: 32) { buffer, count in
      if let base = buffer.baseAddress { count = unsafe ch_callers_of_here(base, 32) }
    }
    return Symbols.innermostPlace(of: addresses)
  }
}
