import Synchronization

/// What happens at the numbered points of a run. The program is the same everywhere; only this differs.
///
/// A point has the number of its operation and a part. Its effect is what others can see of it.
class Pacer: @unchecked Sendable {
  // @unchecked Sendable because each subclass guards what it keeps by a Mutex or an Atomic.

  /// What a program writes for one unit of time.
  var unit: Duration { .milliseconds(1) }
  /// Whether a task may be suspended before each effect outside actors: steps overlap then as far as they ever can.
  var splits: Bool { false }
  /// Whether a sleep may take any time, so that work may be slower than a timer.
  var isUntimed: Bool { false }

  /// Brings about the effect of a point.
  func step<Result>(_ point: Int, _ effect: () throws -> Result) rethrows -> Result {
    try arrive(at: point, effect)
  }

  /// The task is about to go where `point` will be.
  func approach(_ point: Int) {}

  func arrive<Result>(at point: Int, _ effect: () throws -> Result) rethrows -> Result { try effect() }
}

/// Notes in which order a simulated execution came to its points.
final class Recording: Pacer, @unchecked Sendable {
  private let points = Mutex<[Int]>([])
  private let splitting: Bool
  private let untimed: Bool

  init(splits: Bool = false, isUntimed: Bool = false) {
    splitting = splits
    untimed = isUntimed
  }

  override var splits: Bool { splitting }
  override var isUntimed: Bool { untimed }

  var order: [Int] { points.withLock { $0 } }

  override func arrive<Result>(at point: Int, _ effect: () throws -> Result) rethrows -> Result {
    points.withLock { $0.append(point) }
    return try effect()
  }
}
