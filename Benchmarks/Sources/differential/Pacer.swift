import CThreads

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

  /// Whether a task that yields may go on before all others, for as long as it likes.
  var isUnfair: Bool { false }

  /// Brings about the effect of a point.
  func step<Result>(_ point: Int, _ effect: () throws -> Result) rethrows -> Result {
    try arrive(at: point, effect)
  }

  /// By how much the timer of a point is late.
  func lateness(of point: Int) -> Duration { .zero }

  /// The task is about to go where `point` will be.
  func approach(_ point: Int) {}

  func arrive<Result>(at point: Int, _ effect: () throws -> Result) rethrows -> Result { try effect() }
}

/// Notes in which order a simulated execution came to its points.
///
/// Safe: the notes are made and freed with it.
@safe final class Recording: Pacer, @unchecked Sendable {
  // @unchecked Sendable because a simulation runs one task at a time. A lock would be a scheduling point of the program.
  private let points = unsafe notes_make()
  private let liberty: Liberty

  init(_ liberty: Liberty) { self.liberty = liberty }
  deinit { unsafe notes_free(points) }

  override var splits: Bool { liberty.splits }
  override var isUntimed: Bool { liberty.isUntimed }
  override var isUnfair: Bool { liberty.isUnfair }

  var order: [Int] { unsafe (0..<notes_count(points)).map { unsafe notes_at(points, $0) } }

  override func arrive<Result>(at point: Int, _ effect: () throws -> Result) rethrows -> Result {
    unsafe notes_add(points, point)
    return try effect()
  }
}

/// What an execution may do that a simulation of the program as it is does not.
struct Liberty {
  var splits = false
  var isUntimed = false
  var isUnfair = false
}
